import type { TestResult } from "@bearhug/sdk";

import { formatDuration } from "../format/duration.ts";
import { describeVariantOutage } from "../format/outage.ts";
import type { NamedRun } from "./comparable.ts";

/** Sentences about sides that were down for a while. Times of the rest say nothing of that. */
export interface Outages {
  readonly base: readonly string[];
  readonly other: readonly string[];
}

export function findOutages(base: readonly NamedRun[], other: readonly NamedRun[]): Outages {
  return {
    base: base.flatMap((run) => outagesOf(run, other)),
    other: other.flatMap((run) => outagesOf(run, base)),
  };
}

function outagesOf(run: NamedRun, opposite: readonly NamedRun[]): string[] {
  if (run.variant !== undefined) return outageOfTurns(run, run.variant);
  const silence = findSilence(run.result, opposite);
  if (silence === null) return [];
  const [from, until] = [silence.fromMs, silence.untilMs].map((ms) => formatDuration(ms));
  return [
    `In ${run.name}, no request succeeded from ${from ?? ""} to ${until ?? ""}. The other side had ${silence.expected} successes in that time.`,
  ];
}

function outageOfTurns({ result: { variants } }: NamedRun, name: string): string[] {
  const variant = variants?.variants.find((one) => one.name === name);
  if (variants === undefined || variant === undefined) return [];
  const sentence = describeVariantOutage(variant, variants);
  return sentence === null ? [] : [sentence];
}

/** A time in which nothing succeeded, although so many requests of the other side did. */
interface Silence {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly expected: number;
}

/** A restart takes less, also where virtual users back off. */
const leastMs = 2000;
/** Fewer successes may be missing by chance. */
const leastExpected = 20;
/** A run that is silent for less of its load was not gone. */
const leastShare = 0.05;

function findSilence({ intervals }: TestResult, opposite: readonly NamedRun[]): Silence | null {
  const spans: { fromMs: number; untilMs: number }[] = [];
  let isSilent = false;
  for (const { atMs, widthMs, http_reqs, http_reqs_failed } of intervals) {
    const last = spans.at(-1);
    const wasSilent = isSilent;
    isSilent = http_reqs <= http_reqs_failed;
    if (!isSilent) continue;
    if (wasSilent && last !== undefined) last.untilMs = atMs;
    else spans.push({ fromMs: atMs - widthMs, untilMs: atMs });
  }
  const silences = spans.map(({ fromMs, untilMs }) => ({
    ...{ fromMs, untilMs },
    expected: Math.round(Math.min(...opposite.map(({ result }) => successesIn(result, fromMs, untilMs)))),
  }));
  const all = Math.min(...opposite.map(({ result }) => successesIn(result, 0, Infinity)));
  const long = silences.filter(
    ({ fromMs, untilMs, expected }) =>
      untilMs - fromMs >= leastMs && expected >= Math.max(leastExpected, all * leastShare),
  );
  return long.toSorted((one, two) => two.expected - one.expected)[0] ?? null;
}

function successesIn({ intervals }: TestResult, fromMs: number, untilMs: number): number {
  return intervals.reduce((sum, { atMs, widthMs, http_reqs, http_reqs_failed }) => {
    const sharedMs = Math.min(untilMs, atMs) - Math.max(fromMs, atMs - widthMs);
    return widthMs <= 0 || sharedMs <= 0
      ? sum
      : sum + (http_reqs - http_reqs_failed) * Math.min(1, sharedMs / widthMs);
  }, 0);
}
