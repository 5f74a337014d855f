import * as z from "zod";

import { sourcePositionSchema, type SourcePosition } from "./source-position.ts";
import { once } from "../validation/once.ts";

/** How often a check held. */
export interface CheckResult {
  readonly name: string;
  readonly scenario: string;
  /** Null outside of pages. */
  readonly page: string | null;
  readonly passes: number;
  /** Evaluations that did not hold; those that threw among them. */
  readonly fails: number;
  /** The first exception of those that threw; null where none did. */
  readonly exception: CheckException | null;
}

/** An exception of a check's function. */
export interface CheckException {
  /** How many evaluations threw. */
  readonly count: number;
  /** The message of the first. */
  readonly message: string;
  /** When the first was thrown, from the start of the load. */
  readonly firstAtMs: number;
  /** The place at which it was thrown; null if unknown. */
  readonly source: SourcePosition | null;
  /** The lines of source around it. */
  readonly frame: string | null;
}

const count = once(() => z.int().nonnegative());

export const checkSchema: () => z.ZodType<CheckResult> = once(() =>
  z.object({
    name: z.string(),
    scenario: z.string(),
    page: z.string().nullable(),
    passes: count(),
    fails: count(),
    exception: z
      .object({
        count: z.int().positive(),
        message: z.string(),
        firstAtMs: z.number().nonnegative(),
        source: sourcePositionSchema().nullable(),
        frame: z.string().nullable(),
      })
      .nullable(),
  }),
);
