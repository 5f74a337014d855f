import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Several runs tell how much runs of the same thing differ; more than these would be of an older target. */
const mostRuns = 5;

/** The names of the results in the folder of a baseline, the oldest first. */
export function listBaseline(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.toSorted((one, other) => numberOf(one) - numberOf(other));
}

/** Adds a result to a baseline, which keeps the latest five runs. `startsAnew`: drops the others. */
export function addToBaseline(folder: string, result: string, startsAnew: boolean): void {
  const earlier = listBaseline(folder);
  const dropped = startsAnew ? earlier : earlier.slice(0, Math.max(0, earlier.length - mostRuns + 1));
  for (const name of dropped) rmSync(join(folder, name));
  const last = earlier.at(-1);
  copyFileSync(result, join(folder, `${last === undefined ? 1 : numberOf(last) + 1}.json`));
}

/** Results are numbered in the order in which they came. */
function numberOf(name: string): number {
  return Number(/^(\d+)\.json$/.exec(name)?.[1] ?? 0);
}
