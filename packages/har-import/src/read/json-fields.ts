import { z } from "zod";

/** Text; "" for anything else. */
export const text: z.ZodType<string> = z.string().catch("");

/** Text, or a number or boolean as text: some recorders number their pages. "" for anything else. */
export const textOrNumber: z.ZodType<string> = z
  .union([z.string(), z.number().transform(String), z.boolean().transform(String)])
  .catch("");

/** Anything, absent too. */
export const anything: z.ZodType = z.unknown().optional();

/** A list of anything; empty for anything else. */
export const list: z.ZodType<unknown[]> = z.array(z.unknown()).catch([]);

/** A length in bytes; null for anything else, for −1 too. */
export const byteCount: z.ZodType<number | null> = z.number().int().nonnegative().nullable().catch(null);

/** A recording does not last longer: what says so is no duration. */
const maxMs = 7 * 24 * 60 * 60 * 1000;

/** Milliseconds, as a number or its text; null for anything else, for −1 and other "unknown"s too. */
export const milliseconds: z.ZodType<number | null> = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\s*\d{1,12}(\.\d{1,20})?\s*$/)
      .transform(Number),
  ])
  .pipe(z.number().nonnegative().max(maxMs))
  .nullable()
  .catch(null);
