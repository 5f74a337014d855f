import { basename } from "node:path";

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
import { createStyle, type Style } from "./style.ts";
import { asciiFigures } from "./symbols.ts";
import { renderUnmeasured } from "./unmeasured.ts";
import { renderVariants } from "./variants.ts";
import { renderClosing, renderVerdict } from "./verdict.ts";
import { describeRun, type Piece } from "../model/run-facts.ts";

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

const labelWidth = 10;

/** Describes the run: the test, its target, its start, its duration and its load. */
function renderTest(result: TestResult, style: Style): string[] {
  const { name, file } = result.test;
  return describeRun(result).flatMap(({ label, pieces }, at, all) => {
    const shown = all[at - 1]?.label === label ? "" : label;
    return style
      .pieces(
        // A test that is named after its file needs no name.
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
