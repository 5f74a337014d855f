import { sumBy } from "@bearhug/metrics/sum";
import type { IntervalSnapshot } from "@bearhug/sdk";
import { formatCount, formatCounted, formatRate } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { describeMissing } from "../missing-agents.ts";
import { describeTime } from "../model/current-state.ts";
import { toAsciiFigures } from "./symbols.ts";

const lineEveryMs = 10_000;

/** Progress in a log, which cannot replace lines: one line every 10 s. */
export class ProgressLog {
  #lines = 0;
  #seconds: IntervalSnapshot[] = [];

  /**
   * Returns the line that is due at the end of this second, or null. Its rate and failures cover the time
   * since the last line.
   */
  add(snapshot: IntervalSnapshot, unicode: boolean): string | null {
    this.#seconds.push(snapshot);
    const due = Math.floor(snapshot.atMs / lineEveryMs);
    if (due <= this.#lines) return null;
    const line = describe(snapshot, this.#seconds);
    this.#lines = due;
    this.#seconds = [];
    return unicode ? line : toAsciiFigures(line);
  }
}

function describe(snapshot: IntervalSnapshot, seconds: readonly IntervalSnapshot[]): string {
  const { vus, requests, dropped, isWarmup } = snapshot;
  const requested = sumBy(seconds, ({ requestRate }) => requestRate);
  const failed = sumBy(seconds, ({ requestRate, failedRate }) => requestRate * failedRate);
  const missing = describeMissing(snapshot);
  const pieces = [
    `${formatCount(requests)} requests`,
    isWarmup ? "warming up" : formatRate(requested / seconds.length),
    `${formatPercent(requested === 0 ? 0 : failed / requested)} failed`,
    formatCounted(vus, "VU"),
    ...(dropped > 0 ? [`${formatCount(dropped)} dropped`] : []),
    ...(missing === null ? [] : [missing]),
  ];
  return `${describeTime(snapshot.atMs, snapshot.plannedMs)}: ${pieces.join(", ")}`;
}
