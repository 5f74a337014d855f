import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * The number of runs in a baseline. Several show how much runs of the same target differ; more would include
 * outdated ones.
 */
const maxRuns = 5;

/** Returns the names of the results in a baseline's folder, oldest first. */
export function listBaseline(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.toSorted((one, other) => numberOf(one) - numberOf(other));
}

/** Adds a result to a baseline, which keeps the latest five runs. `startsAnew` drops all earlier ones. */
export function addToBaseline(folder: string, result: string, startsAnew: boolean): void {
  const earlier = listBaseline(folder);
  const dropped = startsAnew ? earlier : earlier.slice(0, Math.max(0, earlier.length - maxRuns + 1));
  for (const name of dropped) rmSync(join(folder, name));
  const last = earlier.at(-1);
  copyFileSync(result, join(folder, `${last === undefined ? 1 : numberOf(last) + 1}.json`));
}

/** Returns the number of a result; results are numbered in the order of their runs. */
function numberOf(name: string): number {
  return Number(/^(\d+)\.json$/.exec(name)?.[1] ?? 0);
}
