import type { ComparedRun, ComparedSide, ComparisonResult } from "@bearhug/sdk/result";
import { formatDuration } from "@bearhug/text/duration";
import { formatCount } from "@bearhug/text/number";

import { answerCell } from "../model/comparison.ts";
import { formatStart } from "../model/run-details.ts";
import { curvesOfSide, gatherCompared } from "./compared-data.ts";
import { downloadComparison } from "./download-data.ts";
import type { LabelledText, PageData } from "./page-data.ts";
import { comparePercentiles } from "./percentile-data.ts";
import { gatherCharts } from "./timeline-data.ts";

/** Gathers everything that the page of a comparison shows: a function of its document alone. */
export function comparisonPageData(comparison: ComparisonResult): PageData {
  const { test, verdict, messages, notes } = comparison;
  const answer = answerCell(verdict);
  const [base, other] = [curvesOfSide(comparison.base), curvesOfSide(comparison.new)];
  return {
    isRunning: false,
    title: test.name,
    verdict: {
      tone: answer.tone,
      word: answer.text,
      reasons: messages.map((text) => ({ text, frame: "" })),
    },
    about: { title: "About these runs", entries: describeRuns(comparison) },
    figures: [],
    compared: { ...gatherCompared(comparison), sentences: notes },
    timeline: other === null ? null : gatherCharts(other.moments, base?.moments),
    percentiles: other === null ? null : comparePercentiles(base, other),
    comparisons: [],
    waterfalls: { items: [], note: "" },
    examples: { items: [], note: "" },
    tables: [],
    download: downloadComparison(comparison),
  };
}

function describeRuns({ base, new: other, tool }: ComparisonResult): LabelledText[] {
  return [
    ...describeSide("Base", base),
    ...describeSide("New", other),
    { label: "Version", text: `${tool.name} ${tool.version}` },
  ];
}

function describeSide(label: string, { target, runs }: ComparedSide): LabelledText[] {
  const against = target === null ? "" : ` against ${target}`;
  return runs.map((run) => ({ label, text: `${describeRun(run)}${against}` }));
}

function describeRun({ file, startedAt, durationMs, requests }: ComparedRun): string {
  return `${file ?? "this run"}, ${formatStart(startedAt)}: ${formatCount(requests)} requests in ${formatDuration(durationMs)}`;
}
