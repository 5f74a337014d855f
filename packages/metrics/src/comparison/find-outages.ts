import type { TestResult } from "@bearhug/sdk";
import { formatDuration } from "@bearhug/text/duration";

import { describeVariantOutage } from "./outage.ts";
import { type BadTimes, lengthOf, onBothSides, type TimeSpan, spansWhere } from "./bad-spans.ts";
import type { NamedRun } from "./comparable.ts";
import { sumBy } from "../sum.ts";

export function findOutages(base: readonly NamedRun[], other: readonly NamedRun[]): BadTimes {
  return onBothSides(base, other, outagesOf);
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

/** A time in which no request succeeded, although many requests of the other side did. */
interface Silence extends TimeSpan {
  readonly expected: number;
}

/** A restart takes less time, even if virtual users back off. */
const minLengthMs = 2000;
/** Fewer successes may be missing by chance. */
const minExpected = 20;
/** A target that is silent for less of the load was not down. */
const minShare = 0.05;

function findSilence({ intervals }: TestResult, opposite: readonly NamedRun[]): Silence | null {
  const spans = spansWhere(intervals, ({ http_reqs, http_reqs_failed }) => http_reqs <= http_reqs_failed);
  const silences = spans.map((span): Silence => {
    const expected = Math.min(
      ...opposite.map(({ result }) => successesIn(result, span.fromMs, span.untilMs)),
    );
    return { ...span, expected: Math.round(expected) };
  });
  const all = Math.min(...opposite.map(({ result }) => successesIn(result, 0, Infinity)));
  const long = silences.filter(
    (one) => lengthOf(one) >= minLengthMs && one.expected >= Math.max(minExpected, all * minShare),
  );
  return long.toSorted((one, two) => two.expected - one.expected)[0] ?? null;
}

function successesIn({ intervals }: TestResult, fromMs: number, untilMs: number): number {
  return sumBy(intervals, ({ atMs, widthMs, http_reqs, http_reqs_failed }) => {
    const sharedMs = Math.min(untilMs, atMs) - Math.max(fromMs, atMs - widthMs);
    if (widthMs <= 0 || sharedMs <= 0) return 0;
    return (http_reqs - http_reqs_failed) * Math.min(1, sharedMs / widthMs);
  });
}
