import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { isTooCommonToMask } from "../src/secrets/plain-words.ts";
import { createMask } from "../src/secret-mask.ts";

describe("secrets", () => {
  const secret = 'p4ss "word"/ü+&';

  test.each([
    { form: "as they are", written: secret },
    { form: "in an address", written: encodeURIComponent(secret) },
    { form: "in a form", written: new URLSearchParams({ v: secret }).toString().slice(2) },
    { form: "in JSON", written: JSON.stringify(secret).slice(1, -1) },
    { form: "in base64", written: Buffer.from(secret).toString("base64") },
  ])("are masked $form", ({ written }) => {
    expect(createMask([secret]).hide(`before ${written} after ${written}`)).toBe("before *** after ***");
  });

  test.each([
    { form: "in a path", written: new URL(`http://host/${secret}`).pathname.slice(1) },
    { form: "in a query", written: new URL(`http://host/?${secret}`).search.slice(1) },
  ])("are masked $form, as an address writes them", ({ written }) => {
    expect(createMask([secret]).hide(`before ${written} after`)).toBe("before *** after");
  });

  test("are masked in the base64 of a user and password, however long the user is", () => {
    const password = "correct-horse-battery";
    for (const user of ["", "u", "us", "use", "user"]) {
      const written = Buffer.from(`${user}:${password}`).toString("base64");
      const masked = createMask([password]).hide(`sent ${written}.`);
      expect(masked).toContain("***");
      const [, before = "", after] = /sent ([^*]*)\*\*\*(.*)\.$/.exec(masked) ?? [];
      // The base64 group in which the password begins holds at most two characters of it.
      expect(Buffer.from(before, "base64").length).toBeLessThanOrEqual(user.length + 1 + 2);
      expect(after).toBe("");
    }
  });

  test("are masked in base64 also if more text follows", () => {
    const written = Buffer.from("correct-horse-battery:x").toString("base64");
    const masked = createMask(["correct-horse-battery"]).hide(written);
    expect(masked).toBe(`***${Buffer.from(":x").toString("base64")}`);
  });

  test("that are not well-formed text are masked, too", () => {
    expect(createMask(["lone\ud800surrogate"]).hide("a lone\ud800surrogate b")).toBe("a *** b");
  });

  test("that contain one another leave nothing of the longer one behind", () => {
    expect(createMask(["abc-12", "abc-1234"]).hide("x abc-1234 abc-12 y")).toBe("x *** *** y");
  });

  test("that are common words or short are left alone in texts; without secrets nothing changes", () => {
    const { hide } = createMask(["honey", "production", "Sommer", "4711", "ab-1", "a", ""]);
    const text = "page Clover honey: production build 4711 of Sommer, ab-1 banana";
    expect(hide(text)).toBe(text);
    expect(createMask([]).hide("anything")).toBe("anything");
  });

  test("of digits alone are masked, but not within longer numbers", () => {
    const { hide } = createMask(["48151623"]);
    expect(hide("code 48151623, or #48151623.")).toBe("code ***, or #***.");
    for (const text of ["148151623", "481516234", "48151623.5", "7.48151623"])
      expect(hide(`took ${text} ms`)).toBe(`took ${text} ms`);
  });

  test("that are common words or short are masked in fields for secrets", () => {
    const { hide } = createMask(["honey", "4711"]);
    for (const [written, masked] of [
      ['{"password":"honey","pin":"4711","q":"honey"}', '{"password":"***","pin":"***","q":"honey"}'],
      ["user=bear&password=honey&q=honey", "user=bear&password=***&q=honey"],
      ["http://bear:honey@127.0.0.1/honey", "http://***@127.0.0.1/honey"],
      ["authorization: Basic YmVhcjpob25leQ==", "authorization: Basic ***"],
      ["cookie: pw=honey", "cookie: pw=***"],
    ] as const)
      expect(hide(written)).toBe(masked);
  });

  test.each(["qzxkwvtr", "summer24", "aB3xY9", "correcthorsebattery", "correct horse"])(
    "such as %s are not common words",
    (value) => {
      expect(createMask([value]).hide(`it is ${value}.`)).toBe("it is ***.");
    },
  );

  test("never occur in masked text", () => {
    const secrets = fc.array(fc.string({ unit: "grapheme", minLength: 6, maxLength: 20 }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(secrets, fc.string(), fc.string(), (all, before, after) => {
        fc.pre(all.every((one) => !one.includes("*") && one.trim() !== "" && !isTooCommonToMask(one)));
        const mask = createMask(all).hide;
        for (const one of all) {
          const masked = mask(`${before}\n${one}\n${after}`);
          expect(masked.split("\n")[before.split("\n").length]).not.toContain(one);
        }
      }),
    );
  });
});
