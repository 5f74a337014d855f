import type { TestResult } from "@bearhug/sdk";
import type { SweepResult, SweepTarget } from "@bearhug/sdk/internal";

import { formatLoad } from "../../format/load.ts";
import { describeSteps, describeTarget, stepTable } from "../model/sweep.ts";
import { code, words } from "./escape-markdown.ts";
import { items, section, table } from "./pieces.ts";

/** The steps of a sweep, and what they tell: a section for each target. */
export function sweepSections({ sweep }: TestResult): string[] {
  if (sweep === undefined) return [];
  return sweep.targets.flatMap((target) => targetSection(target, sweep));
}

function targetSection(target: SweepTarget, sweep: SweepResult): string[] {
  const { loadUnit, targets, described } = sweep;
  const title = targets.length > 1 ? `Sweep of ${code(target.name)}` : "Sweep";
  const shown =
    described?.target === target.name
      ? `; the other sections show the best step, at ${formatLoad(described.load, loadUnit)}`
      : "";
  return section(title, [
    `${words(describeSteps(sweep))}${shown}\n\n`,
    ...table(stepTable(sweep, [target])),
    "\n",
    ...items(describeTarget(target, loadUnit)),
  ]);
}
