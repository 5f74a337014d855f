import { writePosition } from "@bearhug/sdk/internal";

import { exitCodes } from "../../exit-codes.ts";
import { outsideIterations, strayCodes } from "../../protocol/read-thrown.ts";
import { wasCutShort, type Ending, type Reason } from "./ending.ts";
import { describeThrown } from "./thrown-errors.ts";

/** Errors that nobody awaited, and of which no iteration can be found that made them: no rate has them. */
export function strayErrors(ending: Ending): Reason[] {
  if (wasCutShort(ending)) return [];
  const strays = ending.errors.filter(({ code, name }) => name === outsideIterations && strayCodes.has(code));
  const first = strays.toSorted((left, right) => left.firstAtMs - right.firstAtMs)[0];
  if (first === undefined) return [];
  const count = strays.reduce((sum, stray) => sum + stray.count, 0);
  const what = count === 1 ? "an error was" : `${count} errors were`;
  const frame = typeof first.frame === "string" ? `\n${first.frame}` : "";
  const message = `${what} thrown outside of all iterations, where nothing awaited or caught ${count === 1 ? "it" : "them"}; first error: ${describeThrown(first, [])}${frame}`;
  return [{ code: exitCodes.thresholdsFailed, message }];
}

/** Notes timers whose code did not run. */
export function unfiredTimers(ending: Ending): Reason[] {
  const unfired = ending.errors.filter(({ code }) => code === "TIMER_NOT_FIRED");
  const first = unfired.toSorted((left, right) => left.firstAtMs - right.firstAtMs)[0];
  if (first === undefined) return [];
  const count = unfired.reduce((sum, one) => sum + one.count, 0);
  const of = unfired.every(({ name }) => name === first.name) ? ` of ${first.name}` : "";
  const [timers, their, the] =
    count === 1 ? ["a timer", "its", ""] : [`${count} timers`, "their", "the first "];
  const { source } = first;
  const place = source ? `, ${the}at ${writePosition(source)}` : "";
  const message = `${timers}${of} had not fired when the run ended, so ${their} code did not run${place}`;
  return [{ code: exitCodes.passed, message }];
}
