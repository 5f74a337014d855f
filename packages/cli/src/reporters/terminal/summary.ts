import type { TestResult } from "@bearhug/sdk";
import type { Appearance } from "../../format/terminal.ts";
import { comparisonSection } from "../comparison/render-terminal.ts";
import { groupTable, pageTable, requestTable, scenarioTable } from "../model/run-parts.ts";
import type { Table } from "../model/table.ts";
import { renderAccounting } from "./accounting.ts";
import { renderCapacity } from "./capacity.ts";
import { renderChecks } from "./checks.ts";
import { renderErrors } from "./errors.ts";
import { renderGenerator } from "./generator.ts";
import { renderLatency } from "./latency.ts";
import { renderClients, renderOwnMetrics, renderTimes, renderTraffic } from "./metrics.ts";
import { renderMonitors } from "./monitors.ts";
import { renderOverload } from "./overload.ts";
import { renderSweep } from "./sweep.ts";
import { createStyle, type Style } from "./style.ts";
import { asciiFigures } from "./symbols.ts";
import { tableSection } from "./table-section.ts";
import { renderTest } from "./test.ts";
import { renderThresholds } from "./thresholds.ts";
import { renderUnmeasured } from "./unmeasured.ts";
import { renderVariants } from "./variants.ts";
import { renderClosing, renderVerdict } from "./verdict.ts";

type Section = (result: TestResult, style: Style) => string[];

const mostRows = 20;

/** The section of a table that tells of each part of a run. */
const partsSection =
  (tableOf: (result: TestResult) => Table): Section =>
  (result, style) =>
    tableSection(tableOf(result), style, { most: mostRows });

/** The sums of a run with one scenario say the same. */
const scenarioSection: Section = (result, style) =>
  result.plan.scenarios.length < 2 ? [] : partsSection(scenarioTable)(result, style);

/** Sections that are shown only where they are asked for. */
export interface ExtraSections {
  /** True for the percentiles of response times, from 0 to 100. */
  readonly hasLatency: boolean;
}

/** The sections in their order; one without lines is left out. */
const sections = ({ hasLatency }: ExtraSections): readonly Section[] => [
  renderVerdict,
  renderCapacity,
  renderOverload,
  renderTest,
  renderThresholds,
  comparisonSection,
  renderChecks,
  renderVariants,
  renderTraffic,
  renderTimes,
  ...(hasLatency ? [renderLatency] : []),
  renderClients,
  renderOwnMetrics,
  scenarioSection,
  partsSection(pageTable),
  partsSection(groupTable),
  partsSection(requestTable),
  renderAccounting,
  renderErrors,
  renderUnmeasured,
  renderMonitors,
  renderGenerator,
];

/** Those of a sweep, whose other sections are about one of its steps. The steps come last: there they are seen first. */
const sweepSections: readonly Section[] = [
  renderVerdict,
  renderTest,
  renderThresholds,
  renderChecks,
  renderErrors,
  renderUnmeasured,
  renderMonitors,
  renderGenerator,
  renderSweep,
];

/** In longer reports the first line has scrolled away when the last is read. */
const linesOfAScreen = 24;

/** The report of a run for a terminal, with a line end after each line. */
export function renderSummary(
  result: TestResult,
  appearance: Appearance,
  extra: ExtraSections = { hasLatency: false },
): string {
  const style = createStyle(appearance);
  const told = (result.sweep === undefined ? sections(extra) : sweepSections)
    .map((section) => section(result, style))
    .filter((lines) => lines.length > 0);
  const lines = told.flatMap((section, index) => (index === 0 ? section : ["", ...section]));
  if (lines.length >= linesOfAScreen) lines.push("", renderClosing(result, style));
  const text = lines.map((line) => `${line}\n`).join("");
  return appearance.unicode ? text : asciiFigures(text);
}
