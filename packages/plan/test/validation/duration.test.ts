import { BearhugError } from "@bearhug/sdk";
import { DurationSyntaxError } from "@bearhug/sdk/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../../tools/vitest/any-character.ts";
import { parseDuration } from "../../src/validation/duration.ts";

function errorOf(value: string | number): DurationSyntaxError {
  try {
    parseDuration(value);
  } catch (error) {
    if (error instanceof DurationSyntaxError) return error;
    throw error;
  }
  throw new Error(`${value} was read`);
}

describe("parseDuration", () => {
  test.for([
    ["500ms", 500],
    ["10s", 10_000],
    ["1m", 60_000],
    ["1m30s", 90_000],
    ["1.5h", 5_400_000],
    ["1h30m15s250ms", 5_415_250],
    ["2h5s", 7_205_000],
    ["0s", 0],
    ["0.5ms", 0.5],
    ["1.1s", 1100],
    ["007s", 7000],
    [250, 250],
    [0, 0],
    [0.25, 0.25],
  ] as const)("reads %j as %d ms", ([text, milliseconds]) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  test.for([
    ["", 0],
    ["s", 0],
    ["-5s", 0],
    ["+5s", 0],
    [" 5s", 0],
    [".5s", 0],
    ["30", 2],
    ["30 s", 2],
    ["30s ", 3],
    ["5sec", 2],
    ["1.s", 1],
    ["0x10s", 1],
    ["1e3s", 1],
    ["1d", 1],
    ["30s1m", 4],
    ["1m2m", 3],
    ["5ms1", 4],
    ["1m 30s", 2],
    ["١s", 0],
    ["9".repeat(400) + "s", 0],
  ] as const)("refuses %j at index %d", ([text, offset]) => {
    expect(errorOf(text)).toMatchObject({ code: "INVALID_DURATION", text, offset });
  });

  test.for([-1, NaN, Infinity, -Infinity])("refuses the number %d", (value) => {
    expect(errorOf(value).message).toContain("expected a number of milliseconds that is 0 or more");
  });

  test("says what it expected, and at which character, counted from 1", () => {
    expect(errorOf("30").message).toBe('Duration "30": expected a unit (h, m, s, ms) at character 3.');
    expect(errorOf("soon").message).toBe(
      'Duration "soon": expected a time such as "30s", "1m30s" or "500ms" at character 1.',
    );
    expect(errorOf("1mx").message).toBe('Duration "1mx": expected a digit at character 3.');
    expect(errorOf("30s1m").message).toBe('Duration "30s1m": expected a unit (ms) at character 5.');
    expect(errorOf("5ms1s").message).toBe('Duration "5ms1s": expected the end at character 5.');
  });

  test.each([
    ["1 sec", "1s"],
    ["2 MINUTES", "2m"],
    ["1m 30s", "1m30s"],
    ["1 hr  5 min", "1h5m"],
    [" 5s ", "5s"],
  ])("says what %j was probably meant to be", (text, meant) => {
    expect(errorOf(text).message).toBe(`Duration "${text}": did you mean "${meant}"?`);
  });

  test("suggests nothing that is not a duration", () => {
    expect(errorOf("1 sec later").message).toMatch(/expected .* at character 2\.$/);
  });

  test("keeps its message on one line, whatever the text is", () => {
    expect(errorOf("1\n\u001b[31m\u2028").message).not.toMatch(/[\p{Cc}\u2028]/u);
  });

  test("reads durations that are written in whole parts", () => {
    const part = fc.option(fc.nat(10_000), { nil: undefined });
    fc.assert(
      fc.property(part, part, part, part, (hours, minutes, seconds, milliseconds) => {
        const parts = [
          [hours, "h", 3_600_000],
          [minutes, "m", 60_000],
          [seconds, "s", 1000],
          [milliseconds, "ms", 1],
        ] as const;
        const written = parts.filter(([amount]) => amount !== undefined);
        fc.pre(written.length > 0);
        const text = written.map(([amount, unit]) => `${amount ?? 0}${unit}`).join("");
        const total = written.reduce((sum, [amount, , factor]) => sum + (amount ?? 0) * factor, 0);
        expect(parseDuration(text)).toBe(total);
      }),
    );
  });

  test("throws nothing but its own error, with an offset within the text", () => {
    const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.stringMatching(/^[0-9hms. -]{0,12}$/));
    fc.assert(
      fc.property(text, (anything) => {
        try {
          expect(parseDuration(anything)).toBeGreaterThanOrEqual(0);
        } catch (error) {
          expect(error).toBeInstanceOf(BearhugError);
          const { offset } = errorOf(anything);
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThanOrEqual(anything.length);
        }
      }),
    );
  });
});
