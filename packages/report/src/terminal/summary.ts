import type { TestResult } from "@bearhug/sdk";
import type { Appearance } from "@bearhug/text/terminal";

import { comparisonSection } from "../comparison/render-terminal.ts";
import { groupTable, pageTable, requestTable } from "../model/run-parts.ts";
import { renderAccounting } from "./accounting.ts";
import { renderChecks } from "./checks.ts";
import { renderErrors } from "./errors.ts";
import { renderGenerator } from "./generator.ts";
import { renderClients, renderOwnMetrics, renderTimes, renderTraffic } from "./metrics.ts";
import {
  partsSection,
  renderCapacity,
  renderLatency,
  renderMonitors,
  renderOverload,
  renderThresholds,
  scenarioSection,
  type Section,
} from "./model-sections.ts";
import { renderSweep } from "./sweep.ts";
import { createStyle } from "./style.ts";
import { asciiFigures } from "./symbols.ts";
import { renderTest } from "./test.ts";
import { renderUnmeasured } from "./unmeasured.ts";
import { renderVariants } from "./variants.ts";
import { renderClosing, renderVerdict } from "./verdict.ts";

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
