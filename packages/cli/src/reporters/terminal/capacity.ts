import type { TestResult } from "@bearhug/sdk";

import { formatDuration } from "../../format/duration.ts";
import { formatRate } from "../../format/number.ts";
import {
  describeConfirmation,
  describeReading,
  describeTrialVerdict,
  findLimiting,
  formatTrialLoad,
  titleReading,
} from "../capacity-words.ts";
import type { Style } from "./style.ts";

/** The search for the capacity: its confirmation, what limits, and every trial. */
export function renderCapacity({ capacity }: TestResult, style: Style): string[] {
  if (capacity === undefined) return [];
  const { objectives, trials, limitedBy } = capacity;
  const confirmation = describeConfirmation(capacity);
  const sentences = [
    ...(confirmation === null ? [] : [confirmation]),
    ...(limitedBy === null ? [] : [`limited by ${limitedBy}`]),
    ...objectives.map(
      ({ text, isOwn }, index) =>
        `objective ${index + 1}: ${style.text(text)}${isOwn ? "" : " (default; set your own with --slo)"}`,
    ),
  ];
  const shown = findLimiting(capacity);
  const objective = objectives[shown];
  const columns = [
    { title: "load", align: "right" as const },
    { title: "verdict" },
    { title: titleReading(`objective ${shown + 1}`, objective), keep: 3 },
    { title: "succeeded", align: "right" as const, keep: 1 },
    { title: "p99", align: "right" as const, keep: 2 },
  ];
  return [
    style.heading("Capacity"),
    ...sentences.flatMap((text) => style.paragraph(text, { lead: `${style.symbols.dot} ` })),
    ...style.table(
      columns,
      trials.map((trial) => [
        formatTrialLoad(trial),
        describeTrialVerdict(trial),
        describeReading(trial.readings[shown] ?? null, objective),
        formatRate(trial.figures.goodRate),
        trial.figures.times === null ? "" : formatDuration(trial.figures.times.p99),
      ]),
    ),
  ];
}
