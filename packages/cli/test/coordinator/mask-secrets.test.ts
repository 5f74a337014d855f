import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { createMask, maskDeep } from "../../src/coordinator/mask-secrets.ts";

describe("secrets", () => {
  const secret = 'p4ss "word"/ü+&';

  test.each([
    { form: "as they are", written: secret },
    { form: "in an address", written: encodeURIComponent(secret) },
    { form: "in a form", written: new URLSearchParams({ v: secret }).toString().slice(2) },
    { form: "in JSON", written: JSON.stringify(secret).slice(1, -1) },
    { form: "in base64", written: Buffer.from(secret).toString("base64") },
  ])("are masked $form", ({ written }) => {
    expect(createMask([secret])(`before ${written} after ${written}`)).toBe("before *** after ***");
  });

  test("are masked wherever they stand in plain data, in keys too", () => {
    const mask = createMask(["s3cret"]);
    const masked = maskDeep(
      {
        text: "has s3cret",
        list: ["s3cret", 5, null, { deep: "xs3cretx" }],
        "GET /s3cret/x": { name: "GET /s3cret/x" },
        count: 3,
        isOn: true,
      },
      mask,
    );
    expect(masked).toEqual({
      text: "has ***",
      list: ["***", 5, null, { deep: "x***x" }],
      "GET /***/x": { name: "GET /***/x" },
      count: 3,
      isOn: true,
    });
  });

  test("within one another leave nothing of the longer one behind", () => {
    expect(createMask(["abc", "abcdef"])("x abcdef abc y")).toBe("x *** *** y");
  });

  test("leave the original as it was", () => {
    const original = { text: "s3cret" };
    maskDeep(original, createMask(["s3cret"]));
    expect(original).toEqual({ text: "s3cret" });
  });

  test("too short to be told from words are left alone; without secrets nothing changes", () => {
    expect(createMask(["a", ""])("a banana")).toBe("a banana");
    expect(createMask([])("anything")).toBe("anything");
  });

  test("are never found in what was masked", () => {
    const secrets = fc.array(fc.string({ unit: "grapheme", minLength: 3, maxLength: 20 }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(secrets, fc.string(), fc.string(), (all, before, after) => {
        fc.pre(all.every((one) => !one.includes("*") && one.trim() !== ""));
        const mask = createMask(all);
        for (const one of all) {
          const masked = mask(`${before}\n${one}\n${after}`);
          expect(masked.split("\n")[before.split("\n").length]).not.toContain(one);
        }
      }),
    );
  });
});
