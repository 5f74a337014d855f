import { z } from "zod";
import { DurationSyntaxError, parseDuration } from "./duration.ts";
import { describeValue } from "../validation/describe-issue.ts";

/** A year. Longer ones are typing errors, and sums of them would no longer be exact. */
const longestMs = 365 * 24 * 3_600_000;

/** A duration, read into milliseconds. `leastMs`: the shortest it may be; without it, it must be longer than 0. */
export function durationSchema(leastMs?: number): z.ZodType<number> {
  return z.unknown().transform((value, context): number => {
    const milliseconds = readDuration(value);
    if (typeof milliseconds === "string") {
      context.addIssue({ code: "custom", message: milliseconds });
      return z.NEVER;
    }
    if (milliseconds > longestMs) {
      const message = `must be at most 8760h, but is ${describeValue(value)}`;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
    const isEnough = leastMs === undefined ? milliseconds > 0 : milliseconds >= leastMs;
    if (isEnough) return milliseconds;
    const bound = leastMs === undefined ? "longer than 0" : `${leastMs} ms or longer`;
    context.addIssue({ code: "custom", message: `must be ${bound}, but is ${describeValue(value)}` });
    return z.NEVER;
  });
}

/** Milliseconds, or what is wrong. */
function readDuration(value: unknown): number | string {
  if (typeof value !== "string" && typeof value !== "number") {
    return `must be a time such as "30s", or a number of milliseconds, but is ${describeValue(value)}`;
  }
  try {
    return parseDuration(value);
  } catch (error) {
    if (error instanceof DurationSyntaxError) return `: ${error.message}`;
    throw error;
  }
}
