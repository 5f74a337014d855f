import { formatMilliseconds } from "@bearhug/text/duration";

import type { Style } from "./style.ts";

interface Times {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** The shortest and the longest time that are drawn, in ms, on a logarithmic scale. */
export type Scale = readonly [least: number, most: number];

/** Returns a scale for all of these times; null if there are none. */
export function scaleOf(all: readonly (Times | null)[]): Scale | null {
  const drawn = all.flatMap((times) => (times === null ? [] : [times.p50, times.p99])).filter((ms) => ms > 0);
  if (drawn.length === 0) return null;
  const [least, most] = [Math.min(...drawn), Math.max(...drawn)];
  // Nearly equal times must not look different.
  return [least, Math.max(most, least * 2)];
}

/** Renders the title of a column of tracks: the ends of their scale, and what is drawn between them. */
export function renderAxis(scale: Scale, columns: number, { symbols }: Pick<Style, "symbols">): string {
  const [least, most] = scale.map((ms) => `${formatMilliseconds(ms)} ms`);
  const room = columns - (least?.length ?? 0) - (most?.length ?? 0);
  const title = ` p50${symbols.to}p99 `;
  const left = Math.max(0, Math.floor((room - title.length) / 2));
  const right = Math.max(0, room - title.length - left);
  return `${least ?? ""}${" ".repeat(left)}${title}${" ".repeat(right)}${most ?? ""}`;
}

/** Draws the range from p50 to p99, with p90 between them. */
export function renderTrack(
  times: Times | null,
  [least, most]: Scale,
  columns: number,
  { symbols }: Pick<Style, "symbols">,
): string {
  if (times === null) return " ".repeat(columns);
  const place = (ms: number): number => {
    const share = Math.log(Math.max(ms, least) / least) / Math.log(most / least);
    return Math.round(Math.min(1, share) * (columns - 1));
  };
  const [from, middle, to] = [place(times.p50), place(times.p90), place(times.p99)];
  const drawn = Array.from({ length: columns }, (_, column) => {
    if (column === from && from < to) return symbols.rangeStart;
    if (column === to && from < to) return symbols.rangeEnd;
    if (column === middle) return symbols.rangeMiddle;
    return column > from && column < to ? symbols.rangeLine : " ";
  });
  return drawn.join("");
}
