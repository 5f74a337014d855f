import type { IntervalSnapshot } from "@bearhug/sdk";
import { formatBytes } from "@bearhug/text/bytes";
import { formatDuration } from "@bearhug/text/duration";
import { markLowerBound, formatCount, formatRate } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";
import { renderSparkline } from "@bearhug/text/sparkline";
import type { Cell, Row } from "@bearhug/text/table";

import type { Style } from "../style.ts";
import { lineSection, type Section } from "./fit-height.ts";

/** One figure of the latest second and of those before. */
interface Figure {
  readonly title: string;
  readonly now: Cell | string;
  /** The value of each second, the latest at the end. */
  readonly past: readonly (number | null)[];
  readonly note: string;
  readonly paint: (line: string) => string;
  /** If there is no room for all, figures with the lowest number are dropped first. */
  readonly keep: number;
}

/** The fewest columns of a useful sparkline. */
const fewestColumns = 12;
/** These are the rate, the failures or the p50, and the p95. */
const fewestFigures = 3;
const titleColumns = 10;
const valueColumns = 9;

/** Shows the requests of the latest second with their percentiles, each beside that of the last minute. */
export function secondSection(
  snapshots: readonly IntervalSnapshot[],
  latest: IntervalSnapshot,
  style: Style,
): Section {
  if (latest.isWarmup) return lineSection([`  ${style.faint("warming up: nothing is measured yet")}`], 7);
  const figures = describe(
    snapshots.filter(({ isWarmup }) => !isWarmup),
    latest,
    style,
  );
  return {
    wanted: figures.length,
    least: fewestFigures,
    keep: 8,
    render: (lines) => renderFigures(mostImportant(figures, lines), style),
  };
}

function describe(
  snapshots: readonly IntervalSnapshot[],
  latest: IntervalSnapshot,
  style: Style,
): readonly Figure[] {
  const percentile = (
    title: string,
    key: "p50Ms" | "p95Ms" | "p99Ms",
    isLowerBound: boolean,
    keep: number,
  ): Figure => {
    const past = snapshots.map((one) => one[key]);
    const [now, most] = [latest[key], Math.max(0, ...past.map((ms) => ms ?? 0))];
    return {
      title,
      past,
      keep,
      paint: style.accent,
      now: now === null ? "" : markLowerBound(formatDuration(now), isLowerBound),
      note: most === 0 ? "" : `at most ${formatDuration(most)}`,
    };
  };
  return [
    {
      title: "requests",
      now: formatRate(latest.requestRate),
      note: describeRequests(latest, style),
      past: snapshots.map(({ requestRate }) => requestRate),
      paint: style.accent,
      keep: 5,
    },
    ...describeFailed(snapshots, latest, style),
    percentile("p50", "p50Ms", latest.isP50LowerBound, 1),
    percentile("p95", "p95Ms", latest.isP95LowerBound, 3),
    percentile("p99", "p99Ms", latest.isP99LowerBound, 2),
  ];
}

/** Describes failures; empty if no request of the last minute failed. */
function describeFailed(
  snapshots: readonly IntervalSnapshot[],
  { failedRate }: IntervalSnapshot,
  { bad }: Style,
): Figure[] {
  const past = snapshots.map((one) => one.failedRate);
  if (past.every((rate) => rate === 0)) return [];
  const text = formatPercent(failedRate, 1);
  const most = formatPercent(Math.max(...past), 1);
  const now = failedRate > 0 ? { text, paint: bad } : text;
  return [{ title: "failed", now, past, note: `at most ${most}`, paint: bad, keep: 4 }];
}

/** Received data is shown from one megabyte on. */
const leastShownBytes = 1e6;
const leastWidthForBytes = 99;

function describeRequests(
  { requests, receivedBytes, expectedBytes }: IntervalSnapshot,
  { width }: Style,
): string {
  const total = `${formatCount(requests)} in all`;
  if (width < leastWidthForBytes || (expectedBytes ?? receivedBytes) < leastShownBytes) return total;
  const received = `${total}, ${formatBytes(receivedBytes)}`;
  return expectedBytes === null ? received : `${received} of about ${formatBytes(expectedBytes, 2)}`;
}

function mostImportant(figures: readonly Figure[], count: number): readonly Figure[] {
  const kept = new Set(figures.toSorted((one, other) => other.keep - one.keep).slice(0, count));
  return figures.filter((figure) => kept.has(figure));
}

function renderFigures(figures: readonly Figure[], style: Style): string[] {
  const { width, symbols } = style;
  const noteColumns = Math.max(...figures.map(({ note }) => note.length));
  const room = width - 2 - titleColumns - 2 - valueColumns - 2;
  const hasNotes = room - noteColumns - 2 >= fewestColumns;
  const columns = Math.min(60, hasNotes ? room - noteColumns - 2 : room);
  const rows = figures.map(({ title, now, past, note, paint }): Row => [
    title.padEnd(titleColumns),
    now,
    { text: renderSparkline(past.slice(-columns), symbols).padEnd(columns), paint },
    ...(hasNotes ? [{ text: note, paint: style.faint }] : []),
  ]);
  const value = { title: " ".repeat(valueColumns), align: "right" } as const;
  return style
    .table([{ title: "" }, value, { title: "" }, ...(hasNotes ? [{ title: "" }] : [])], rows)
    .slice(1);
}
