import { stripVTControlCharacters } from "node:util";

import type { IntervalSnapshot } from "@bearhug/sdk";
import { cut, displayWidth } from "@bearhug/text/display-width";
import { formatPlanned } from "@bearhug/text/duration";
import type { Terminal } from "@bearhug/text/terminal";

import { describeMissing } from "../../missing-agents.ts";
import {
  describeTime,
  errorsSoFar,
  secondsLeft,
  thresholdsSoFar,
  wholeSeconds,
} from "../../model/current-state.ts";
import { renderProgress } from "../progress.ts";
import { createStyle, type Style } from "../style.ts";
import { toAsciiFigures } from "../symbols.ts";
import { fitHeight, lineSection, type Section } from "./fit-height.ts";
import type { LiveState } from "./live-state.ts";
import { monitorSection } from "./monitor-section.ts";
import { scenarioSection } from "./scenario-section.ts";
import { secondSection } from "./second-section.ts";
import { type Row, text } from "../../model/table.ts";
import { tableLines } from "../table-section.ts";

/** With fewer lines than this, a single line with everything is better than a partial view. */
const leastHeight = 5;

/** Renders the current state of a run. Lines are narrower than the terminal, and one fewer than it has. */
export function renderLive(state: LiveState, terminal: Terminal): string[] {
  // The cursor needs a column and a line of its own.
  const width = terminal.width - 1;
  const style = createStyle({ ...terminal, width });
  const latest = state.snapshots.at(-1);
  const lines = latest === undefined ? renderStart(state, style) : renderRun(state, latest, terminal, style);
  const shown = terminal.unicode ? lines : lines.map(toAsciiFigures);
  return shown.map((line) => fitWidth(line, width, style.symbols.ellipsis));
}

/** Cuts lines on a terminal that is too narrow even for the shortest columns. */
function fitWidth(line: string, width: number, ellipsis: string): string {
  const plain = stripVTControlCharacters(line);
  return displayWidth(plain) <= width ? line : cut(plain, width, ellipsis);
}

/** Renders the plan of a run that has measured nothing yet. */
function renderStart({ run, caption, sinceMs }: LiveState, style: Style): string[] {
  if (run === null) return [];
  const { width, symbols } = style;
  const rows = run.plan.scenarios.map(({ name, description }) => [
    style.text(name),
    { text: cut(style.text(description), width - 3, symbols.ellipsis), paint: style.faint },
  ]);
  const time = sinceMs < 1000 ? "starting" : `starting, ${wholeSeconds(sinceMs)}`;
  const scenarios: Section = {
    wanted: rows.length,
    least: 1,
    keep: 1,
    render: (lines) =>
      style.table(
        [
          { title: "", shrinks: true },
          { title: "", shrinks: true },
        ],
        rows.slice(0, lines),
      ),
  };
  return fitHeight(
    [titleSection(run.test.name, time, style), ...captionSection(caption, style), scenarios],
    20,
  );
}

function renderRun(
  { run, caption, snapshots, sinceMs }: LiveState,
  latest: IntervalSnapshot,
  terminal: Terminal,
  style: Style,
): string[] {
  if (terminal.height < leastHeight) return [renderProgress(latest, terminal)];
  const sections = [
    titleSection(run?.test.name ?? "", describeClock(latest, sinceMs), style),
    ...captionSection(caption ?? describeTurn(latest, sinceMs), style),
    scenarioSection(latest, sinceMs, style),
    secondSection(snapshots, latest, style),
    errorSection(latest, style),
    thresholdSection(latest, style),
    ...monitorSection(latest, style),
    ...missingSection(latest, style),
    generatorSection(latest, style),
  ];
  return fitHeight(sections, terminal.height - 1);
}

function titleSection(name: string, time: string, style: Style): Section {
  const { width, symbols, strong } = style;
  const title = cut(style.text(name), width - time.length - 2, symbols.ellipsis);
  const space = " ".repeat(Math.max(2, width - displayWidth(title) - time.length));
  return lineSection([strong(title) + space + time], 4);
}

/** The place of the run in a series, or the variant whose turn it is. */
function captionSection(caption: string | undefined, style: Style): Section[] {
  if (caption === undefined) return [];
  const line = cut(style.text(caption), style.width - 2, style.symbols.ellipsis);
  return [lineSection([`  ${style.accent(line)}`], 6)];
}

/** Shorter turns change too often to be read. */
const leastShownTurnMs = 2000;

function describeTurn({ turn }: IntervalSnapshot, sinceMs: number): string | undefined {
  if (turn === undefined) return undefined;
  const { variant, lastsMs, leftMs } = turn;
  if (lastsMs < leastShownTurnMs) return `variants take turns of ${formatPlanned(lastsMs)}`;
  const left = secondsLeft(Math.max(0, leftMs - sinceMs));
  return `${variant} has its turn of ${formatPlanned(lastsMs)}, ${left} left`;
}

function describeClock({ atMs, plannedMs, isWarmup }: IntervalSnapshot, sinceMs: number): string {
  return `${isWarmup ? "warming up, " : ""}${describeTime(atMs + sinceMs, plannedMs)}`;
}

/** The missing agents, without which the figures are too low. */
function missingSection(latest: IntervalSnapshot, style: Style): Section[] {
  const words = describeMissing(latest);
  if (words === null) return [];
  const lead = `${style.symbols.warning}  `;
  const lines = style.paragraph(style.text(words), { lead, hang: 0, paint: style.warning });
  return [lineSection(lines, 5, 2)];
}

/** The load generator: one word if it is healthy, otherwise what is wrong with it and what to do. */
function generatorSection({ generator: { verdict, reasons } }: IntervalSnapshot, style: Style): Section {
  if (verdict === "healthy") {
    const line = `  ${style.good(style.symbols.passed)}  ${style.faint("generator healthy")}`;
    return lineSection([line], 2);
  }
  const paint = verdict === "saturated" ? style.bad : style.warning;
  const lead = `${style.symbols.warning}  `;
  const lines = style.paragraph(`generator ${verdict}: ${reasons.join("; ")}`, { lead, hang: 0, paint });
  return lineSection(lines, 5, 3);
}

const mostShown = 6;
const countColumns = 9;

/** Errors so far: each code with the request that it affected most often. */
function errorSection(snapshot: IntervalSnapshot, style: Style): Section {
  const { columns, rows } = errorsSoFar(snapshot);
  const wanted = Math.min(rows.length, mostShown);
  return {
    wanted,
    least: Math.min(1, wanted),
    keep: 6,
    render: (lines) => {
      const hidden = rows.length - lines;
      const shown = rows.slice(0, hidden > 0 && lines > 1 ? lines - 1 : lines);
      const titles = [" ".repeat(countColumns), "", ""];
      const lead = {
        columns: [text(""), ...columns.map((column, at) => ({ ...column, title: titles[at] ?? "" }))],
        rows: shown.map(({ cells }, at) => ({ cells: [{ text: at === 0 ? "errors    " : "" }, ...cells] })),
      };
      const more = rows.length - shown.length;
      return [
        ...tableLines(lead, style).slice(1),
        ...(lines > shown.length ? [style.faint(`${" ".repeat(23)}and ${more} more`)] : []),
      ];
    },
  };
}

/** The current state of thresholds. If not all can be shown, those that fail come first. */
function thresholdSection(snapshot: IntervalSnapshot, style: Style): Section {
  const { columns, rows } = thresholdsSoFar(snapshot);
  const show = (shown: readonly Row[]): string[] =>
    tableLines({ columns, rows: shown }, style, { isTitled: false });
  return {
    wanted: rows.length,
    least: Math.min(1, rows.length),
    keep: 7,
    render: (lines) => {
      if (lines >= rows.length) return show(rows);
      const failing = rows.filter(isFailing);
      const count = Math.max(1, lines - 1);
      const shown = [...failing, ...rows.filter((row) => !isFailing(row))].slice(0, count);
      const failingHidden = Math.max(0, failing.length - count);
      const more = `  and ${rows.length - count} more${failingHidden > 0 ? `, ${failingHidden} of them failing` : ""}`;
      return [...show(shown), ...(lines > 1 ? [style.faint(more)] : [])];
    },
  };
}

function isFailing({ cells: [outcome] }: Row): boolean {
  return outcome?.tone === "bad";
}
