import fc from "fast-check";
import { expect, test } from "vitest";

import { KeptBody } from "../../../src/http/exchange/kept-body.ts";

test("what is kept is what came, however it was cut, and a copy of it", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.uint8Array({ minLength: 2000, maxLength: 20_000 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const kept = new KeptBody();
      const came = Buffer.concat(pieces);
      for (const one of pieces) {
        const lent = Buffer.from(one);
        expect(kept.add(lent)).toBe(true);
        lent.fill(0);
      }
      expect(Buffer.concat(kept.pieces()).equals(came)).toBe(true);
    }),
  );
});

test("a body of single bytes is kept in blocks, not in as many pieces", () => {
  const kept = new KeptBody();
  for (let count = 0; count < 200_000; count++) kept.add(Uint8Array.of(count));
  expect(kept.pieces().length).toBeLessThan(20);
  expect(Buffer.concat(kept.pieces())).toHaveLength(200_000);
});

test("beyond 10 MiB a body is not kept", () => {
  const kept = new KeptBody();
  const mebibyte = Buffer.alloc(1024 * 1024);
  for (let count = 0; count < 10; count++) expect(kept.add(mebibyte)).toBe(true);
  expect(kept.add(Uint8Array.of(1))).toBe(false);
});
