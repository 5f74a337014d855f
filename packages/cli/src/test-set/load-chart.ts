import { isTimed, loadOverTime } from "@bearhug/plan/executors/load-models";
import type { ValidatedScenario } from "@bearhug/plan/executors/validated-scenario";
import { peakLoad, type LoadPoint } from "@bearhug/plan/pacing/load-over-time";
import type { Style } from "@bearhug/report/terminal/style";
import { executors } from "@bearhug/sdk/internal";
import { displayWidth, padTo, shorten } from "@bearhug/text/display-width";
import { formatPlanned } from "@bearhug/text/duration";
import { formatNumber } from "@bearhug/text/number";

const indent = 2;
const maxNameWidth = 24;
const minPlotWidth = 16;

/**
 * Renders the load of all scenarios over one time axis, each in its own band scaled to its own peak. Empty if
 * no scenario has a fixed duration, because the length of the load is then unknown.
 */
export function renderLoadChart(
  scenarios: readonly ValidatedScenario[],
  warmupMs: number,
  style: Style,
): string[] {
  const bands = scenarios.map((scenario) => bandOf(scenario, style));
  const endMs = Math.max(
    0,
    ...bands.flatMap(({ points, isOpenEnded }) => (isOpenEnded ? [] : points.map(({ atMs }) => atMs))),
  );
  if (endMs === 0) return [];
  const nameWidth = widest(bands.map(({ name }) => name));
  const peakWidth = widest(bands.map(({ peak }) => peak));
  const plotWidth = style.width - indent - nameWidth - peakWidth - 4;
  if (plotWidth < minPlotWidth) return [];
  const height = heightOf(bands.length);
  const scale = { endMs, plotWidth, height };
  const margin = " ".repeat(indent + nameWidth + 2 + peakWidth);
  const side = style.faint(style.symbols.chartSide);
  return [
    ...bands.flatMap((band, index) => {
      const gap = index > 0 && height > 1 ? [`${margin} ${side}`] : [];
      const rows = plot(band, scale, style).map((row, line) => {
        const lead =
          line === 0
            ? `${" ".repeat(indent)}${padTo(band.name, nameWidth)}  ${style.faint(band.peak.padStart(peakWidth))}`
            : margin;
        return `${lead} ${side}${style.accent(row)}`.trimEnd();
      });
      return [...gap, ...rows];
    }),
    ...renderAxis(scale, warmupMs, style).map((line) => style.faint(`${margin} ${line}`)),
    ...(bands.some(({ isOpenEnded }) => isOpenEnded)
      ? style.paragraph(`${style.symbols.shade.repeat(3)} until the iterations are done`, {
          paint: style.faint,
        })
      : []),
  ];
}

interface Band {
  readonly name: string;
  /** The highest load, with its unit. */
  readonly peak: string;
  readonly most: number;
  readonly points: readonly LoadPoint[];
  /** True if the scenario ends when its iterations are done. */
  readonly isOpenEnded: boolean;
}

function bandOf(scenario: ValidatedScenario, style: Style): Band {
  const points = loadOverTime(scenario);
  const most = Math.max(...points.map(({ load }) => load));
  const isRate = executors[scenario.executor].isOpen;
  return {
    name: shorten(style.text(scenario.name), maxNameWidth, style.symbols.ellipsis),
    peak: isRate ? `${formatNumber(most)}/s` : `${formatNumber(most)} VU${most === 1 ? "" : "s"}`,
    most,
    points,
    isOpenEnded: !isTimed(scenario),
  };
}

/** Returns the height of a band in lines: the fewer the scenarios, the higher. */
function heightOf(bands: number): number {
  if (bands === 1) return 5;
  return bands <= 3 ? 3 : bands <= 6 ? 2 : 1;
}

interface Scale {
  readonly endMs: number;
  /** In columns. */
  readonly plotWidth: number;
  /** In lines. */
  readonly height: number;
}

/** Plots a band as lines, top first. Each character has as many levels as the terminal can display. */
function plot(band: Band, { endMs, plotWidth, height }: Scale, { symbols }: Style): string[] {
  const levels = band.isOpenEnded ? symbols.shade : symbols.fill;
  const columnMs = endMs / plotWidth;
  const heights = Array.from({ length: plotWidth }, (_, column) => {
    const load = peakLoad(band.points, column * columnMs, (column + 1) * columnMs);
    // Even the smallest load is visible.
    return load === 0 ? 0 : Math.max(1, Math.round((load / band.most) * height * levels.length));
  });
  return Array.from({ length: height }, (_, line) => {
    const below = (height - 1 - line) * levels.length;
    return heights
      .map((units) => (units <= below ? " " : (levels[Math.min(levels.length, units - below) - 1] ?? " ")))
      .join("");
  });
}

/** Steps between the marks of the axis, in seconds: round numbers that are easy to read. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];
const minMarkWidth = 14;

function renderAxis({ endMs, plotWidth }: Scale, warmupMs: number, { symbols }: Style): string[] {
  const columnOf = (ms: number): number => Math.min(plotWidth - 1, Math.round((ms / endMs) * plotWidth));
  const most = Math.max(1, Math.floor(plotWidth / minMarkWidth));
  const stepMs = (steps.find((seconds) => endMs / (seconds * 1000) <= most) ?? endMs / most / 1000) * 1000;
  const marks = Array.from({ length: Math.floor(endMs / stepMs) + 1 }, (_, index) => index * stepMs);
  const line = Array.from({ length: plotWidth }, () => symbols.chartLine);
  let labels = " ".repeat(plotWidth);
  for (const ms of marks) {
    const column = columnOf(ms);
    line[column] = ms === 0 ? symbols.chartLine : symbols.chartMark;
    const label = labelOf(ms);
    const start = Math.min(column, plotWidth - label.length);
    labels = labels.slice(0, start) + label + labels.slice(start + label.length);
  }
  const warmup =
    warmupMs === 0
      ? []
      : [`${symbols.barDone.repeat(Math.max(1, columnOf(warmupMs)))} warm-up, not measured`];
  return [
    `${symbols.chartCorner}${line.join("")}`,
    ` ${labels.trimEnd()}`,
    ...warmup.map((text) => ` ${text}`),
  ];
}

/** Returns a label without the zeros of whole minutes and hours: 30 s, 1 m 30 s, 2 h. */
function labelOf(ms: number): string {
  return ms === 0 ? "0" : formatPlanned(ms).replace(/(?: 0 m)?(?: 0 s)?$/, "");
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(displayWidth));
}
