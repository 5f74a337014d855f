import { basename } from "node:path";

import type { TestResult } from "@bearhug/sdk";
import { asLines } from "@bearhug/text/as-lines";
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
import { createStyle, type Style } from "./style.ts";
import { toAsciiFigures } from "./symbols.ts";
import { renderUnmeasured } from "./unmeasured.ts";
import { renderVariants } from "./variants.ts";
import { renderClosing, renderVerdict } from "./verdict.ts";
import { describeRun, type Piece } from "../model/run-details.ts";

/** Sections that are shown only on request. */
export interface ExtraSections {
  /** True for the percentiles of response times, from 0 to 100. */
  readonly hasLatency: boolean;
}

/** The sections in order; one without lines is left out. */
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

/**
 * The sections of a sweep. All but the last are about its best step. The steps come last, where they are seen
 * first.
 */
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

/** In longer reports, the first line has scrolled off the screen by the end. */
const linesOfAScreen = 24;

/** Renders the report of a run for a terminal, with a line end after each line. */
export function renderSummary(
  result: TestResult,
  appearance: Appearance,
  extra: ExtraSections = { hasLatency: false },
): string {
  const style = createStyle(appearance);
  const rendered = (result.sweep === undefined ? sections(extra) : sweepSections)
    .map((section) => section(result, style))
    .filter((lines) => lines.length > 0);
  const lines = rendered.flatMap((section, index) => (index === 0 ? section : ["", ...section]));
  if (lines.length >= linesOfAScreen) lines.push("", renderClosing(result, style));
  const text = asLines(lines);
  return appearance.unicode ? text : toAsciiFigures(text);
}

const labelWidth = 10;

/** Describes the run: the test, its target, its start, its duration and its load. */
function renderTest(result: TestResult, style: Style): string[] {
  const { name, file } = result.test;
  return describeRun(result).flatMap(({ label, pieces }, at, all) => {
    const shown = all[at - 1]?.label === label ? "" : label;
    return style
      .pieces(
        // The name is omitted if it is that of the file.
        pieces
          .slice(label === "test" && file !== null && basename(file) === name ? 1 : 0)
          .map((piece) => writePiece(piece, style)),
        { lead: shown.padEnd(labelWidth), hang: label === "load" ? 2 : 0 },
      )
      .map((line) => line.replace(shown, () => style.faint(shown)));
  });
}

function writePiece(piece: Piece, style: Style): string {
  if (typeof piece === "string") return piece;
  return "name" in piece ? `${style.text(piece.name)}${piece.after ?? ""}` : style.text(piece.sentence);
}
