import fc from "fast-check";
import { expect, test } from "vitest";
import { isBase64, readBase64Text } from "../src/base64.ts";
import { sourceOfField } from "./field-capture.ts";

const letters = fc.stringMatching(/^[\w+/ -]{0,40}$/);
const padded = fc.tuple(letters, fc.stringMatching(/^={0,5}$/)).map((parts) => parts.join(""));

test("base64 text written by Node is decoded, with and without padding", () => {
  const property = fc.property(fc.string({ minLength: 1 }), (text) => {
    const base64 = Buffer.from(text).toString("base64");
    const isText = !/[^\s\x20-\x7e\x80-\xff]/.test(Buffer.from(text).toString("latin1"));
    for (const written of [base64, base64.replace(/=+$/, "")])
      expect(readBase64Text(written)).toBe(isText ? text : null);
  });
  fc.assert(property);
});

test("a text with any number of trailing equals signs never causes an error", () => {
  const property = fc.property(padded, (text) => {
    if (!isBase64(text)) expect(readBase64Text(text)).toBeNull();
    expect(() => readBase64Text(text)).not.toThrow();
  });
  fc.assert(property, { numRuns: 1000 });
});

test("a parameter that ends with equals signs is sent unchanged", async () => {
  expect(await sourceOfField("eq3q")).toContain("mountpoint===");
});
