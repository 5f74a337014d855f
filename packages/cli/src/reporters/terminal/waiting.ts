import type { TestResult } from "@bearhug/sdk";
import { formatDuration } from "../../format/duration.ts";
import { loadModelOf } from "./load-model.ts";
import type { Style } from "./style.ts";

type Metrics = TestResult["metrics"];

/** Below both of these the two ways to count tell the same. */
const leastGapMs = 1;
const leastGapShare = 0.1;

/** Why visitors of an open model waited longer than requests took; nothing where they did not. */
export function renderWaiting({ plan, metrics }: TestResult, style: Style): string[] {
  if (!plan.scenarios.some(({ executor }) => loadModelOf(executor) === "scheduled")) return [];
  const own = p99Of(metrics, "http_req_duration");
  const due = p99Of(metrics, "http_req_response_time");
  if (own === null || due === null) return [];
  const gapMs = due - own;
  if (gapMs <= leastGapMs || gapMs <= own * leastGapShare) return [];
  const views =
    `Visitors waited: counted from when each should have started, p99 is ${formatDuration(due)}; ` +
    `http_req_duration, which starts when the request is sent, shows ${formatDuration(own)}, as a closed loop would.`;
  const parts = describeParts(metrics, gapMs);
  return style.paragraph(parts.length === 0 ? views : `${views} ${sentence(parts)}`);
}

function describeParts(metrics: Metrics, gapMs: number): string[] {
  const vuWait = p99Of(metrics, "vu_wait");
  const lag = p99Of(metrics, "schedule_lag");
  const blocked = p99Of(metrics, "http_req_blocked");
  return [
    ...(vuWait === null ? [] : [`waiting for a free VU: p99 ${formatDuration(vuWait)}`]),
    ...(lag === null ? [] : [`lateness of the generator: p99 ${formatDuration(lag)}`]),
    ...(blocked === null || blocked < gapMs * leastGapShare
      ? []
      : [`waiting for a connection: p99 ${formatDuration(blocked)}`]),
  ];
}

function sentence(parts: readonly string[]): string {
  const text = parts.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function p99Of(metrics: Metrics, name: string): number | null {
  const metric = metrics[name];
  return metric?.type === "trend" ? (metric.values["p(99)"] ?? null) : null;
}
