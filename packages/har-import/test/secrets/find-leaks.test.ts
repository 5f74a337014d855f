import fc from "fast-check";
import { expect, test } from "vitest";
import { createLeakFinder } from "../../src/secrets/known-secrets.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const hex = (text: string, width: number): string[] =>
  Array.from(text).map((character) => character.charCodeAt(0).toString(16).padStart(width, "0"));

const encodings: readonly (readonly [string, (text: string) => string])[] = [
  ["unencoded", (text) => text],
  ["percent-encoded", encodeURIComponent],
  [
    "percent-encoded with lower-case escapes",
    (text) => encodeURIComponent(text).replace(/%../g, (escape) => escape.toLowerCase()),
  ],
  [
    "percent-encoded, every byte",
    (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  ],
  ["in a form", (text) => new URLSearchParams({ v: text }).toString().slice(2)],
  ["in JSON", (text) => JSON.stringify(text).slice(1, -1)],
  [
    "as \\u escapes",
    (text) =>
      hex(text, 4)
        .map((code) => `\\u${code}`)
        .join(""),
  ],
  [
    "as \\x escapes",
    (text) =>
      hex(text, 2)
        .map((code) => `\\x${code}`)
        .join(""),
  ],
  ["in HTML", (text) => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)],
  [
    "as HTML hex",
    (text) =>
      hex(text, 1)
        .map((code) => `&#x${code};`)
        .join(""),
  ],
  ["in base64", base64],
  ["in base64 at an offset of one byte", (text) => base64(`a${text}b`)],
  ["in base64 at an offset of two bytes", (text) => base64(`ab${text}`)],
  ["in base64url", (text) => base64(`abc${text}`).replaceAll("+", "-").replaceAll("/", "_")],
  ["in JSON in base64", (text) => base64(JSON.stringify({ nothing: "more than enough text", value: text }))],
  ["in JSON in JSON", (text) => JSON.stringify(JSON.stringify(text))],
  ["in JSON in an address", (text) => encodeURIComponent(JSON.stringify([text]))],
];

const secrets = fc
  .string({ minLength: 8, maxLength: 40, unit: fc.constantFrom(...Array.from("abcXYZ0189+/=&%\"'\\<> ~é")) })
  .filter((text) => text.trim() === text);

test.each(encodings)("a secret is found %s", (_how, encode) => {
  fc.assert(
    fc.property(secrets, fc.string(), fc.string(), (secret, before, after) => {
      const text = `${before} ${encode(secret)} ${after}`;
      expect(createLeakFinder([secret, "another secret"])(["", text])).toContainEqual(
        expect.objectContaining({ textIndex: 1 }),
      );
    }),
  );
});

test("no leak is found in texts without the secrets", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => {
      expect(createLeakFinder(["Tr0ub4dor&3", "kq8Jd72hLpQ0zXv5Tn3M"])(texts)).toEqual([]);
    }),
  );
});

test("secrets with fewer than six characters are ignored", () => {
  expect(createLeakFinder(["abcde", ""])(["abcde"])).toEqual([]);
});

test("a megabyte is searched for a thousand secrets in less than 5 s of CPU time", () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `secret-${index * 7_919}-x`);
  const text = "const value = await http.get(`/api/items`, { q: 'bG9uZw==' });\n".repeat(16_000);
  const usage = process.cpuUsage();
  expect(createLeakFinder(many)([`${text}${many[999] ?? ""}`])).toHaveLength(1);
  expect(process.cpuUsage(usage).user).toBeLessThan(5_000_000);
});
