import type { ValidatedScenario } from "@bearhug/sdk/internal";

import { activeMs, isTimed } from "../executors/load-models.ts";
import type { PlannedVariants } from "../protocol/variants.ts";
import type { RunOptions } from "./run-options.ts";

/** Enough turns of each variant that chance is told from a difference, also where several are compared. */
const wantedBlocks = 24;
const shortestTurnMs = 100;
const longestTurnMs = 1000;
const usualTurnMs = 250;
/** The share of a turn that is not compared, because iterations of the turn before may still run. */
const changeoverShare = 0.2;

/** How the variants take turns; undefined without any. Turns are as long as the load has time for, unless `--turn` says how long. */
export function planVariants(
  { variants, turnMs: given, seed }: Pick<RunOptions, "variants" | "turnMs" | "seed">,
  scenarios: readonly ValidatedScenario[],
  warmupMs: number,
): PlannedVariants | undefined {
  if (variants.length === 0) return undefined;
  const turnMs = given ?? turnFor(variants.length, scenarios, warmupMs);
  const rule = { seed, variants: variants.length, turnMs, changeoverMs: turnMs * changeoverShare };
  return { rule, variants };
}

function turnFor(variants: number, scenarios: readonly ValidatedScenario[], warmupMs: number): number {
  if (!scenarios.every(isTimed)) return usualTurnMs;
  const lastsMs = Math.max(0, ...scenarios.map((one) => one.startTimeMs + activeMs(one))) - warmupMs;
  const turnMs = Math.floor(lastsMs / (wantedBlocks * variants) / 10) * 10;
  return Math.min(longestTurnMs, Math.max(shortestTurnMs, turnMs));
}
