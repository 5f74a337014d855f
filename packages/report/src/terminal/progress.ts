import type { IntervalSnapshot } from "@bearhug/sdk";
import { formatBytes } from "@bearhug/text/bytes";
import { cut, displayWidth } from "@bearhug/text/display-width";
import { formatDuration } from "@bearhug/text/duration";
import { markLowerBound, formatCount, formatCounted, formatRate } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";
import type { Appearance } from "@bearhug/text/terminal";

import { describeMissing } from "../missing-agents.ts";
import { describeTime } from "../model/current-state.ts";
import { toAsciiFigures, chooseSymbols, type Symbols } from "./symbols.ts";

/** A piece of the line. If not all fit, those with the lowest `keep` are dropped first. */
interface Part {
  readonly text: string;
  readonly keep: number;
}

/** Renders a running test in one line, narrower than the terminal, so that the cursor stays on it. */
export function renderProgress(snapshot: IntervalSnapshot, { width, unicode }: Appearance): string {
  const symbols = chooseSymbols(unicode);
  const room = width - 1;
  let parts = describe(snapshot, symbols).filter(({ text }) => text !== "");
  while (parts.length > 1 && displayWidth(join(parts, symbols)) > room) parts = withoutLeast(parts);
  const line = cut(join(parts, symbols), room, symbols.ellipsis);
  return unicode ? line : toAsciiFigures(line);
}

function describe(snapshot: IntervalSnapshot, symbols: Symbols): Part[] {
  const { vus, iterations, requests, requestRate, failedRate, dropped } = snapshot;
  return [
    { text: describeClock(snapshot, symbols), keep: 9 },
    { text: formatCounted(vus, "VU"), keep: 4 },
    { text: `${formatCount(iterations)} iterations`, keep: 1 },
    { text: `${formatCount(requests)} requests`, keep: 2 },
    { text: snapshot.isWarmup ? "warming up" : formatRate(requestRate), keep: 8 },
    { text: describeP95(snapshot), keep: 6 },
    { text: failedRate > 0 ? `${formatPercent(failedRate)} failed` : "", keep: 7 },
    { text: describeTransfer(snapshot), keep: 3 },
    { text: describeMissing(snapshot) ?? "", keep: 8 },
    { text: dropped > 0 ? `${formatCount(dropped)} dropped` : "", keep: 5 },
  ];
}

function describeP95({ p95Ms, isP95LowerBound }: IntervalSnapshot): string {
  return p95Ms === null ? "" : `p95 ${markLowerBound(formatDuration(p95Ms), isP95LowerBound)}`;
}

/** Smaller transfers are not shown. */
const leastTransferBytes = 1e6;

function describeTransfer({ receivedBytes, expectedBytes }: IntervalSnapshot): string {
  if ((expectedBytes ?? receivedBytes) < leastTransferBytes) return "";
  const received = `${formatBytes(receivedBytes)} received`;
  return expectedBytes === null ? received : `${received}, about ${formatBytes(expectedBytes, 2)} in all`;
}

const barColumns = 10;

function describeClock({ atMs, plannedMs }: IntervalSnapshot, { barDone, barLeft }: Symbols): string {
  const time = describeTime(atMs, plannedMs);
  if (plannedMs === null) return time;
  const done = Math.round(barColumns * Math.min(1, plannedMs > 0 ? atMs / plannedMs : 1));
  return `${barDone.repeat(done)}${barLeft.repeat(barColumns - done)} ${time}`;
}

function join(parts: readonly Part[], { dot }: Symbols): string {
  return parts.map(({ text }) => text).join(` ${dot} `);
}

function withoutLeast(parts: readonly Part[]): Part[] {
  const least = Math.min(...parts.map(({ keep }) => keep));
  return parts.filter(({ keep }) => keep !== least);
}
