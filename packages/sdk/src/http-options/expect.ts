import * as z from "zod";

import { describeValue } from "../validation/describe-issue.ts";
import { chosenSchema, oneOrMore, optionsObject } from "../validation/option-schemas.ts";
import { once } from "../validation/once.ts";

/** Statuses from `min` to `max`, both included. */
export interface StatusRange {
  readonly min: number;
  readonly max: number;
}

/** Three digits, as HTTP has them. */
const [least, most] = [100, 999];
const status = once(() => z.int().min(least).max(most));

const alone: () => z.ZodType<StatusRange> = once(() =>
  z
    .int({
      error: ({ code, input }) =>
        code === "invalid_type"
          ? `must be a status such as 200, { min, max } or an array of these, but is ${describeValue(input)}`
          : undefined,
    })
    .min(least)
    .max(most)
    .transform((only) => ({ min: only, max: only })),
);

const range: () => z.ZodType<StatusRange> = once(() =>
  optionsObject("expect", { min: status(), max: status() }).superRefine(({ min, max }, context) => {
    if (min <= max) return;
    context.addIssue({
      code: "custom",
      path: ["min"],
      message: `must not be above max (${max}), but is ${min}`,
    });
  }),
);

/** Statuses that are no failure: one, a range, or a list of these. */
export const expectSchema: () => z.ZodType<readonly StatusRange[]> = once(() =>
  oneOrMore(
    chosenSchema<StatusRange>((value) => (typeof value === "object" && value !== null ? range() : alone())),
  ),
);
