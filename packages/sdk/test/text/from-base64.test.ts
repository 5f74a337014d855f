import fc from "fast-check";
import { expect, test } from "vitest";

import { fromBase64 } from "../../src/index.ts";

test("bytes are decoded unchanged, with and without padding", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = Buffer.from(bytes).toString("base64");
      expect(fromBase64(text)).toEqual(bytes);
      expect(fromBase64(text.replace(/=+$/, ""))).toEqual(bytes);
    }),
  );
});

test.each(["-_", "a b", "aGk=\n", "aG=k", "é"])("%j is refused because it is not base64", (text) => {
  expect(() => fromBase64(text)).toThrow(SyntaxError);
});
