import type { IntervalSnapshot, ScenarioSnapshot } from "@bearhug/sdk";
import { cut, displayWidth } from "@bearhug/text/display-width";
import { formatCount, formatRate } from "@bearhug/text/number";
import type { Cell, Column, Row } from "@bearhug/text/table";

import { secondsLeft } from "../../model/current-state.ts";
import type { Style } from "../style.ts";
import type { Section } from "./fit-height.ts";

/** Narrower terminals show the figures of a scenario below its bar. */
const leastTableWidth = 75;
const longestName = 24;
const longestBar = 40;
/** A scenario keeps up if it reaches this share of its planned rate. */
const nearEnough = 0.95;

/** Each scenario with its planned and its actual rate, its virtual users, iterations, bar and time left. */
export function scenarioSection({ scenarios }: IntervalSnapshot, sinceMs: number, style: Style): Section {
  const isTable = style.width >= leastTableWidth;
  const linesEach = isTable ? 1 : 2;
  const titles = isTable ? 1 : 0;
  return {
    wanted: titles + scenarios.length * linesEach,
    least: titles + linesEach,
    keep: 9,
    render: (lines) => {
      const room = lines - titles;
      const isWhole = room >= scenarios.length * linesEach;
      const shown = isWhole ? scenarios.length : Math.max(1, Math.floor((room - 1) / linesEach));
      const hidden = scenarios.length - shown;
      const rows = scenarios.slice(0, shown).map((one) => describe(one, sinceMs, style));
      const more = hidden > 0 && room > shown * linesEach ? [style.faint(`  and ${hidden} more`)] : [];
      return [...(isTable ? renderTable(rows, style) : renderPairs(rows, style)), ...more];
    },
  };
}

/** The texts of a scenario, which are the same in both layouts. */
interface ScenarioTexts {
  readonly name: string;
  readonly offered: string;
  readonly achieved: Cell;
  readonly vus: string;
  readonly iterations: string;
  readonly dropped: string;
  readonly hasStarted: boolean;
  readonly share: number;
  readonly left: string;
}

function describe(scenario: ScenarioSnapshot, sinceMs: number, style: Style): ScenarioTexts {
  const { name, plannedRate, iterationRate, vus, iterations, plannedIterations, dropped } = scenario;
  const isBehind = plannedRate !== null && iterationRate < plannedRate * nearEnough;
  return {
    name: cut(style.text(name), longestName, style.symbols.ellipsis),
    offered: plannedRate === null ? "" : formatRate(plannedRate),
    achieved: { text: formatRate(iterationRate), ...(isBehind && { paint: style.warning }) },
    vus: formatCount(vus),
    iterations:
      plannedIterations === null
        ? formatCount(iterations)
        : `${formatCount(iterations)} of ${formatCount(plannedIterations)}`,
    dropped: dropped === 0 ? "" : formatCount(dropped),
    hasStarted: scenario.startsInMs === 0,
    ...describeTime(scenario, sinceMs),
  };
}

/** Continues the clock between two snapshots. */
function describeTime(
  { progress, startsInMs, leftMs, vus }: ScenarioSnapshot,
  sinceMs: number,
): Pick<ScenarioTexts, "share" | "left"> {
  if (startsInMs > sinceMs) return { share: 0, left: `in ${secondsLeft(startsInMs - sinceMs)}` };
  if (leftMs === null) return { share: progress, left: "" };
  const left = Math.max(0, leftMs - sinceMs);
  const plannedMs = progress < 1 ? leftMs / (1 - progress) : 0;
  const share = plannedMs > 0 ? 1 - left / plannedMs : 1;
  if (left > 0) return { share, left: `${secondsLeft(left)} left` };
  return { share, left: vus > 0 ? "ending" : "done" };
}

const right = "right";

function renderTable(scenarios: readonly ScenarioTexts[], style: Style): string[] {
  const hasOffered = scenarios.some(({ offered }) => offered !== "");
  const hasDropped = scenarios.some(({ dropped }) => dropped !== "");
  const columns: readonly Column[] = [
    { title: "", shrinks: true },
    ...(hasOffered ? [{ title: "offered", align: right } as const] : []),
    { title: hasOffered ? "achieved" : "rate", align: right },
    { title: " VUs", align: right },
    { title: "iterations", align: right },
    ...(hasDropped ? [{ title: "dropped", align: right } as const] : []),
  ];
  const cells = scenarios.map(({ name, offered, achieved, vus, iterations, dropped, hasStarted }): Row => {
    const figures = [
      ...(hasOffered ? [offered] : []),
      achieved,
      vus,
      iterations,
      ...(hasDropped ? [{ text: dropped, paint: style.warning }] : []),
    ];
    return [name, ...figures.map((figure) => (hasStarted ? figure : ""))];
  });
  const columnsOfBar = roomForBar(widthOf(columns, cells), scenarios, style);
  const rows = scenarios.map(({ share, left }, index): Row => [
    ...(cells[index] ?? []),
    barCell(share, columnsOfBar, style),
    { text: left, paint: style.faint },
  ]);
  return style.table([...columns, { title: "" }, { title: "" }], rows);
}

/** Returns the widest that a bar can be beside other columns. */
function roomForBar(used: number, scenarios: readonly ScenarioTexts[], { width }: Style): number {
  const left = Math.max(...scenarios.map((one) => one.left.length));
  return Math.max(0, Math.min(longestBar, width - used - 2 - left));
}

/** Returns the width of a table's columns, with the gap after each and the indent before all. */
function widthOf(columns: readonly Column[], rows: readonly Row[]): number {
  const widths = columns.map(({ title }, index) =>
    Math.max(
      title.length,
      ...rows.map((row) => {
        const cell = row[index] ?? "";
        return displayWidth(typeof cell === "string" ? cell : cell.text);
      }),
    ),
  );
  return widths.reduce((sum, width) => sum + width + 2, 2);
}

/** Renders two lines for each scenario: its bar, and its figures below. */
function renderPairs(scenarios: readonly ScenarioTexts[], style: Style): string[] {
  const columns = [{ title: "", shrinks: true }];
  const used = widthOf(
    columns,
    scenarios.map(({ name }) => [name]),
  );
  const columnsOfBar = roomForBar(used, scenarios, style);
  const bars = style.table(
    [...columns, { title: "" }, { title: "" }],
    scenarios.map(({ name, share, left }) => [
      name,
      barCell(share, columnsOfBar, style),
      { text: left, paint: style.faint },
    ]),
  );
  return scenarios.flatMap((scenario, index) => [
    bars[index] ?? "",
    " ".repeat(used) + describeFigures(scenario, style.width - used, style),
  ]);
}

function describeFigures(
  { offered, achieved, vus, iterations, dropped, hasStarted }: ScenarioTexts,
  room: number,
  style: Style,
): string {
  if (!hasStarted) return style.faint(cut("not started yet", room, ""));
  const dot = ` ${style.symbols.dot} `;
  const rate = offered === "" ? achieved.text : `${achieved.text} of ${offered}`;
  const pieces: Cell[] = [
    { ...achieved, text: rate },
    { text: `${vus} ${vus === "1" ? "VU" : "VUs"}` },
    { text: `${iterations} iterations` },
    ...(dropped === "" ? [] : [{ text: `${dropped} dropped`, paint: style.warning }]),
  ];
  while (pieces.length > 1 && displayWidth(pieces.map(({ text }) => text).join(dot)) > room) pieces.pop();
  return pieces.map(({ text, paint = (same: string) => same }) => paint(cut(text, room, ""))).join(dot);
}

/** Draws a bar, filled up to a share from 0 to 1. */
function barCell(share: number, columns: number, { symbols, accent, faint }: Style): Cell {
  const { barDone, barHalf, barLeft } = symbols;
  const halves = Math.floor(Math.min(1, Math.max(0, share)) * columns * 2 + 1e-9);
  const done = barDone.repeat(Math.floor(halves / 2)) + (halves % 2 === 1 ? barHalf : "");
  return {
    text: done + barLeft.repeat(columns - done.length),
    paint: (bar) => accent(bar.slice(0, done.length)) + faint(bar.slice(done.length)),
  };
}
