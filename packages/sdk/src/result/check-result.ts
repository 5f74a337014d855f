import * as z from "zod";

import { sourcePositionSchema, type SourcePosition } from "./source-position.ts";
import { amount, count } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";

/** How often a check held. */
export interface CheckResult {
  readonly name: string;
  readonly scenario: string;
  /** The page in which it was evaluated; null outside of pages. */
  readonly page: string | null;
  /** The group in which it was evaluated, such as `outer::inner`; null outside of groups. */
  readonly group: string | null;
  /** Number of evaluations that were true. */
  readonly passes: number;
  /** Number of evaluations that were false, including those that threw. */
  readonly fails: number;
  /** The first exception; null if no evaluation threw. */
  readonly exception: CheckException | null;
}

/** The exceptions of a check's function. */
export interface CheckException {
  /** Number of evaluations that threw. */
  readonly count: number;
  /** The message of the first exception. */
  readonly message: string;
  /** The time of the first exception, from the start of the load. */
  readonly firstAtMs: number;
  /** The place in the source that threw it; null if unknown. */
  readonly source: SourcePosition | null;
  /** The lines of source around that place; null if unknown. */
  readonly frame: string | null;
}

export const checkSchema: () => z.ZodType<CheckResult> = once(() =>
  z.object({
    name: z.string(),
    scenario: z.string(),
    page: z.string().nullable(),
    group: z.string().nullable().default(null),
    passes: count(),
    fails: count(),
    exception: z
      .object({
        count: z.int().positive(),
        message: z.string(),
        firstAtMs: amount(),
        source: sourcePositionSchema().nullable(),
        frame: z.string().nullable(),
      })
      .nullable(),
  }),
);
