import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { anyCharacter } from "../../../tools/vitest/any-character.ts";
import { capMessage, capName } from "../src/cap-text.ts";

const utf8 = new TextEncoder();
const bytesOf = (text: string): number => utf8.encode(text).length;

describe("a name that is too long", () => {
  test("is cut to at most 256 bytes, between two characters, and ends with a hash", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, minLength: 60, maxLength: 500 }), (name) => {
        const capped = capName(name);
        expect(bytesOf(capped)).toBeLessThanOrEqual(256);
        if (bytesOf(name) <= 256) {
          expect(capped).toBe(name);
          return;
        }
        expect(capped).toMatch(/…[\da-f]{14}$/);
        const kept = capped.slice(0, -15);
        expect(name.startsWith(kept)).toBe(true);
        expect(bytesOf(kept)).toBeGreaterThan(256 - 17 - 4);
      }),
    );
  });

  test("stays different from every other one, wherever they differ", () => {
    const capped = new Set<string>();
    for (let number = 0; number < 5000; number++) {
      capped.add(capName(`${"x".repeat(300)}${number}`));
      capped.add(capName(`${number}${"x".repeat(300)}`));
    }
    expect(capped.size).toBe(10_000);
    expect(capName("y".repeat(1000))).toBe(capName("y".repeat(1000)));
  });

  test("of exactly 256 bytes is left whole", () => {
    expect(capName("z".repeat(256))).toBe("z".repeat(256));
    expect(capName("é".repeat(128))).toBe("é".repeat(128));
    expect(capName("z".repeat(257))).toMatch(/^z{239}…[\da-f]{14}$/);
  });

  test.each([
    { character: "\u007f", bytes: 1 },
    { character: "\u0080", bytes: 2 },
    { character: "\u07ff", bytes: 2 },
    { character: "\u0800", bytes: 3 },
    { character: "\uffff", bytes: 3 },
    { character: "\u{10000}", bytes: 4 },
  ])("counts $bytes bytes for $character", ({ character, bytes }) => {
    const fitting = `${character.repeat(Math.floor(256 / bytes))}${"z".repeat(256 % bytes)}`;
    expect(capName(fitting)).toBe(fitting);
    expect(capName(`${fitting}z`)).not.toContain(fitting);
  });

  test("is left whole if it fits once it is masked", () => {
    const masked = capName("s".repeat(300), () => "***");
    expect(masked).toBe("***");
  });

  test("is masked before it is cut, so that no part of a secret stays", () => {
    const secret = "correct-horse-battery-staple";
    const mask = (text: string): string => text.replaceAll(secret, "***");
    for (let before = 210; before < 260; before++) {
      const capped = capName(`${"a".repeat(before)}${secret}${"b".repeat(50)}`, mask);
      expect(capped).not.toContain("corr");
      expect(bytesOf(capped)).toBeLessThanOrEqual(256);
    }
  });

  test("is not masked if it is short: the consumer masks it", () => {
    expect(capName("s3cret", () => "never called")).toBe("s3cret");
  });
});

describe("a message that is too long", () => {
  test("is masked, then cut to 8 KiB between two characters", () => {
    const message = `${"a".repeat(8180)}s3cret-token${"é".repeat(8000)}`;
    const capped = capMessage(message, (text) => text.replaceAll("s3cret-token", "***"));
    expect(capped).toMatch(/^a{8180}\*{3}é{3}…$/);
    expect(bytesOf(capped)).toBe(8192);
    expect(capMessage("z".repeat(8192))).toBe("z".repeat(8192));
    expect(capMessage("s".repeat(9000), () => "***")).toBe("***");
    expect(capMessage("z".repeat(9000))).toBe(`${"z".repeat(8189)}…`);
    expect(capMessage("s3cret", () => expect.unreachable("it fits"))).toBe("s3cret");
  });
});
