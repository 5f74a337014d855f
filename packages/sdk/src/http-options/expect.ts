import { z } from "zod";
import { chosenSchema, oneOrMore, optionsObject } from "../validation/option-schemas.ts";

/** Statuses from `min` to `max`, both included. */
export interface StatusRange {
  readonly min: number;
  readonly max: number;
}

/** Three digits, as HTTP has them. */
const status = z.int().min(100).max(999);

const alone: z.ZodType<StatusRange> = status.transform((only) => ({ min: only, max: only }));

const range: z.ZodType<StatusRange> = optionsObject("expect", { min: status, max: status }).superRefine(
  ({ min, max }, context) => {
    if (min <= max) return;
    context.addIssue({
      code: "custom",
      path: ["min"],
      message: `must not be above max (${max}), but is ${min}`,
    });
  },
);

/** Statuses that are no failure: one, a range, or a list of these. */
export const expectSchema: z.ZodType<readonly StatusRange[]> = oneOrMore(
  chosenSchema<StatusRange>((value) => (typeof value === "object" && value !== null ? range : alone)),
);
