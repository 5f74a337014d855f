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
