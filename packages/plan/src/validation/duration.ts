import { DurationSyntaxError, z } from "@bearhug/sdk/internal";
import { showValue } from "@bearhug/text/describe-issue";
import { respellUnits } from "@bearhug/text/respell-units";

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
const amountPattern = /\d+(?:\.\d+)?/y;
const unitPattern = /ms|[hms]/y;

/**
 * Returns a duration in milliseconds. A number is taken as milliseconds.
 * A string has one or more amounts, each with its unit, the longest unit first: `"1h30m"`, `"1m30s"`,
 * `"0.5s"`, `"500ms"`.
 * @throws {DurationSyntaxError} for anything else: a negative or infinite number, a string without a unit,
 * blanks.
 */
export function parseDuration(value: string | number): number {
  if (typeof value === "string") return parseText(value);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new DurationSyntaxError(String(value), 0, "a number of milliseconds that is 0 or more");
}

/**
 * Returns the text with its units respelled (`1 sec` becomes `1s`); null if nothing changes, or if the result
 * is not a duration either.
 */
function suggestDuration(text: string): string | null {
  const respelled = respellUnits(text).replace(/(?<=[a-z])\s+(?=\d)/gi, "");
  if (respelled === text) return null;
  try {
    parseText(respelled);
    return respelled;
  } catch {
    return null;
  }
}

function parseText(text: string): number {
  let totalMs = 0;
  let shortestMs = Infinity;
  let offset = 0;
  do {
    const amount = matchAt(amountPattern, text, offset);
    if (amount === null)
      throw new DurationSyntaxError(text, offset, expectedAmount(offset), suggestDuration(text));
    const unitOffset = offset + amount.length;
    const unit = matchAt(unitPattern, text, unitOffset);
    const size = unit === null ? undefined : unitMs[unit];
    if (unit === null || size === undefined || size >= shortestMs) {
      throw new DurationSyntaxError(text, unitOffset, expectedUnit(shortestMs), suggestDuration(text));
    }
    totalMs += Number(amount) * size;
    if (totalMs > Number.MAX_SAFE_INTEGER) {
      throw new DurationSyntaxError(text, offset, "a shorter time");
    }
    shortestMs = size;
    offset = unitOffset + unit.length;
  } while (offset < text.length);
  return withoutFloatNoise(totalMs);
}

function matchAt(pattern: RegExp, text: string, offset: number): string | null {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0] ?? null;
}

function expectedAmount(offset: number): string {
  return offset === 0 ? 'a time such as "30s", "1m30s" or "500ms"' : "a digit";
}

function expectedUnit(shortestMs: number): string {
  const units = Object.keys(unitMs).filter((unit) => (unitMs[unit] ?? 0) < shortestMs);
  return units.length === 0 ? "the end" : `a unit (${units.join(", ")})`;
}

/** 1.1 × 1000 is 1100.0000000000001: keep whole nanoseconds. */
function withoutFloatNoise(milliseconds: number): number {
  return Number.isInteger(milliseconds) ? milliseconds : Math.round(milliseconds * 1e6) / 1e6;
}

/** One year. A longer duration is surely a typing error, and sums of such durations would not be exact. */
const longestMs = 365 * 24 * 3_600_000;

/**
 * Returns the schema of a duration, which converts it to milliseconds. `minMs`: the shortest valid
 * duration; if absent, it must be longer than 0.
 */
export function durationSchema(minMs?: number): z.ZodType<number> {
  return z.unknown().transform((value, context): number => {
    const milliseconds = readDuration(value);
    if (typeof milliseconds === "string") {
      context.addIssue({ code: "custom", message: milliseconds });
      return z.NEVER;
    }
    if (milliseconds > longestMs) {
      const message = `must be at most 8760h, but is ${showValue(value)}`;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
    const isEnough = minMs === undefined ? milliseconds > 0 : milliseconds >= minMs;
    if (isEnough) return milliseconds;
    const bound = minMs === undefined ? "longer than 0" : `${minMs} ms or longer`;
    context.addIssue({ code: "custom", message: `must be ${bound}, but is ${showValue(value)}` });
    return z.NEVER;
  });
}

/** Returns milliseconds, or the problem as the rest of a sentence. */
function readDuration(value: unknown): number | string {
  if (typeof value !== "string" && typeof value !== "number") {
    return `must be a time such as "30s", or a number of milliseconds, but is ${showValue(value)}`;
  }
  try {
    return parseDuration(value);
  } catch (error) {
    if (error instanceof DurationSyntaxError) return `: ${error.message}`;
    throw error;
  }
}
