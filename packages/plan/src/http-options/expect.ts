import type { StatusRange } from "@bearhug/sdk";
import { z, once } from "@bearhug/sdk/internal";
import { showValue } from "@bearhug/text/describe-issue";

import { chosenSchema, oneOrMore, optionsObject } from "../validation/option-schemas.ts";

/** An HTTP status has three digits. */
const [minStatus, maxStatus] = [100, 999];
const status = once(() => z.int().min(minStatus).max(maxStatus));

const alone: () => z.ZodType<StatusRange> = once(() =>
  z
    .int({
      error: ({ code, input }) =>
        code === "invalid_type"
          ? `must be a status such as 200, { min, max } or an array of these, but is ${showValue(input)}`
          : undefined,
    })
    .min(minStatus)
    .max(maxStatus)
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

/** Reads statuses that count as success: one, a range, or an array of these. */
export const expectSchema: () => z.ZodType<readonly StatusRange[]> = once(() =>
  oneOrMore(
    chosenSchema<StatusRange>((value) => (typeof value === "object" && value !== null ? range() : alone())),
  ),
);

/** Reads the statuses of `--expect`: `404`, `2xx,404`, `200-299`. */
export const expectFlagSchema: () => z.ZodType<readonly StatusRange[]> = once(() =>
  z.string().transform((text, context) => {
    const ranges = text.split(",").map(readRange);
    if (ranges.every((one) => one !== null)) return ranges;
    context.addIssue({
      code: "custom",
      message: `must be statuses such as 404, 2xx or 200-299, with commas between them, but is "${text}"`,
    });
    return z.NEVER;
  }),
);

function readRange(text: string): StatusRange | null {
  const [, first, second] = /^\s*([1-9](?:\d\d|xx))(?:\s*-\s*([1-9](?:\d\d|xx)))?\s*$/i.exec(text) ?? [];
  if (first === undefined) return null;
  const min = Number(first.replace(/xx/i, "00"));
  const max = Number((second ?? first).replace(/xx/i, "99"));
  return min <= max ? { min, max } : null;
}
