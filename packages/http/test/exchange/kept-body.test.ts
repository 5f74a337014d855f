import fc from "fast-check";
import { expect, test } from "vitest";

import { bytesOf, newBody } from "./keep.ts";

test("a kept body is a copy of what came, however it was cut", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.uint8Array({ minLength: 2000, maxLength: 20_000 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const kept = newBody();
      const came = Buffer.concat(pieces);
      for (const one of pieces) {
        const lent = Buffer.from(one);
        kept.add(lent);
        lent.fill(0);
      }
      expect(bytesOf(kept.received()).equals(came)).toBe(true);
    }),
  );
});

test("a body of single bytes is kept in blocks, not in as many pieces", () => {
  const kept = newBody();
  for (let count = 0; count < 200_000; count++) kept.add(Uint8Array.of(count));
  expect(kept.received()).toHaveProperty("length", 14);
  expect(bytesOf(kept.received())).toHaveLength(200_000);
});

test("beyond 10 MiB a body is not kept", () => {
  const kept = newBody();
  const mebibyte = Buffer.alloc(1024 * 1024);
  for (let count = 0; count < 10; count++) kept.add(mebibyte);
  expect([kept.whyNotKept, bytesOf(kept.received()).length]).toEqual([null, 10 * mebibyte.length]);
  kept.add(Uint8Array.of(1));
  expect([kept.whyNotKept, kept.received()]).toEqual(["tooLong", null]);
});
