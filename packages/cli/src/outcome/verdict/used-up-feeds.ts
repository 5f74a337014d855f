import { exitCodes } from "../../exit-codes.ts";
import type { Ending, Reason } from "./ending.ts";

/** Notes scenarios that a feed without further rows ended before their time: the load was shorter than planned. */
export function usedUpFeeds({ feedEnds, scenarios }: Ending): Reason[] {
  return scenarios.flatMap(({ name, completed, failed }) => {
    const end = feedEnds.get(name);
    if (end === undefined || completed + failed < end.iterations) return [];
    const rows = end.rows === 1 ? "its only row was" : `its ${end.rows} rows were`;
    const iterations = end.iterations === 1 ? "1 iteration" : `${end.iterations} iterations`;
    const message = `scenario ${name} ended after ${iterations}, because feed ${end.feed} has atEnd: "stop" and ${rows} used up`;
    return [{ code: exitCodes.passed, message }];
  });
}
