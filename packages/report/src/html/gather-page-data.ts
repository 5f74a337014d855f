import type { TestResult } from "@bearhug/sdk";
import { capitalized } from "@bearhug/text/capitalized";
import { formatCounted } from "@bearhug/text/number";

import { signOf, type OutcomeSign } from "../comparison-answer.ts";
import { outcomeOf, reasonsOf, splitReason } from "../describe-outcome.ts";
import { titleOf } from "../described-step.ts";
import { gatherCapacity } from "./capacity-data.ts";
import { curvesOfSide, gatherCompared } from "./compared-data.ts";
import { gatherDownload } from "./download-data.ts";
import { gatherExamples } from "./example-data.ts";
import { gatherFigures } from "./figure-data.ts";
import { gatherOverload } from "./overload-data.ts";
import { gatherSweep } from "./sweep-data.ts";
import { describeRun, plainPiece } from "../model/run-details.ts";
import type { Tone } from "../model/table.ts";
import type { LabelledText, PageData } from "./page-data.ts";
import { gatherPercentiles } from "./percentile-data.ts";
import { gatherTables } from "./table-data.ts";
import { gatherVariants } from "./variant-data.ts";
import { gatherWaterfalls } from "./waterfall-data.ts";
import { gatherTimeline } from "./timeline-data.ts";

const tones: Readonly<Record<OutcomeSign, Tone>> = {
  passed: "good",
  failed: "bad",
  warning: "warning",
  unknown: "warning",
};

/** Gathers everything that the page of a report shows: a function of the result alone. */
export function gatherPageData(result: TestResult): PageData {
  const word = outcomeOf(result);
  const sign = signOf(result);
  const { comparison } = result;
  const base = comparison === undefined ? null : curvesOfSide(comparison.base);
  return {
    isRunning: false,
    title: titleOf(result),
    verdict: {
      tone: word === "completed" && sign === "passed" ? "plain" : tones[sign],
      word,
      reasons: reasonsOf(result).map(splitReason),
    },
    about: { title: "About this run", entries: describe(result) },
    figures: gatherFigures(result),
    timeline: gatherTimeline(result, base),
    percentiles: gatherPercentiles(result, base),
    compared: comparison === undefined ? null : gatherCompared(comparison),
    comparisons: [
      ...gatherCapacity(result),
      ...gatherOverload(result),
      ...gatherVariants(result),
      ...gatherSweep(result),
    ],
    waterfalls: gatherWaterfalls(result),
    examples: gatherExamples(result),
    tables: gatherTables(result),
    download: gatherDownload(result),
  };
}

function describe(result: TestResult): LabelledText[] {
  const { plan, environment, tool } = result;
  const { os, cores, memoryMb } = environment;
  return [
    ...describeRun(result).map(({ label, pieces }) => ({
      label: capitalized(label),
      text: pieces.map(plainPiece).join(", "),
    })),
    {
      label: "Generator",
      text: `${formatCounted(plan.workers, "worker")}, ${formatCounted(cores, "core")}, ${Math.round(memoryMb / 1000)} GB, ${os}`,
    },
    { label: "Version", text: `${tool.name} ${tool.version}, Node.js ${tool.node}` },
  ];
}
