import { z } from "@bearhug/sdk/internal";

// Not with `catch`: zod would create an error for each absent field, and most fields of most entries are
// absent.

/** Any value, or none. */
export const anything: z.ZodType = z.unknown().optional();

/** Text; "" for anything else. */
export const text: z.ZodType<string> = anything.transform((value) =>
  typeof value === "string" ? value : "",
);

/** Text, or a number or boolean as text: some recorders number their pages. "" for anything else. */
export const textOrNumber: z.ZodType<string> = anything.transform((value) => {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
});

/** A list of anything; empty for anything else. */
export const list: z.ZodType<unknown[]> = anything.transform((value) =>
  Array.isArray(value) ? (value as unknown[]) : [],
);

/** A length in bytes; null for anything else, for −1 too. */
export const byteCount: z.ZodType<number | null> = anything.transform((value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null,
);

/** No recording lasts longer, so a larger number is not a duration. */
const maxMs = 7 * 24 * 60 * 60 * 1000;
const decimal = /^\s*\d{1,12}(\.\d{1,20})?\s*$/;

/** Milliseconds, as a number or its text; null for anything else, for −1 and other "unknown"s too. */
export const milliseconds: z.ZodType<number | null> = anything.transform((value) => {
  const ms = typeof value === "string" && decimal.test(value) ? Number(value) : value;
  return typeof ms === "number" && ms >= 0 && ms <= maxMs ? ms : null;
});

/** A date and time of day, with or without zone. Nothing looser: what Date.parse guesses depends on the machine. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Returns the milliseconds since the epoch of an ISO 8601 time, in UTC if it has no zone; null if it is not
 * one.
 */
export function parseStart(written: string): number | null {
  const match = dateTime.exec(written.trim());
  if (match === null) return null;
  const [whole, , , zone] = match;
  const withZone = zone === undefined ? `${whole}Z` : whole;
  const time = Date.parse(withZone.replace(",", ".").replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
  return Number.isNaN(time) ? null : time;
}
