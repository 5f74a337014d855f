import type { OverloadKind, OverloadPhase, OverloadResult } from "@bearhug/sdk/internal";

import { formatDuration, formatPlanned } from "../format/duration.ts";
import { formatNumber, formatRate } from "../format/number.ts";

const kinds: Readonly<Record<OverloadKind, string>> = {
  holds: "the target holds the load",
  sheds: "the target sheds load: it refuses part of the requests, and response times stop growing",
  queues: "the target queues requests: response times rise far above those at the rate",
  collapses: "the target collapses: it serves less than it could",
  unclear: "bearhug cannot tell how the target takes the load",
};

/** How the target took the load past its rate, in a sentence. */
export function describeOverload({ kind, because, rate, factor }: OverloadResult): string {
  return `At ${formatRate(rate * factor)}, ${formatNumber(factor)} times the rate, ${kinds[kind]}. ${capitalized(because)}.`;
}

/** How long the target took to come back; empty where that is not known. */
export function describeRecovery({ kind, recovery, phases }: OverloadResult): string[] {
  if (recovery === null || kind === "unclear") return [];
  const { afterMs, resolutionMs, leastGoodput, mostP95 } = recovery;
  const spread = `at least ${formatRate(leastGoodput)} succeed, with p95 up to ${formatDuration(mostP95)}`;
  if (afterMs === 0) {
    return [`It was back to normal within ${formatPlanned(resolutionMs)} after the load fell (${spread}).`];
  }
  const when =
    afterMs === null
      ? "It was not back to normal before the run ended"
      : `It was back to normal ${formatPlanned(afterMs)} after the load fell, to the nearest ${formatPlanned(resolutionMs)}`;
  return [`${when} (${spread}).`, ...describeCauses(phases)];
}

/** The least increase over the first phase that is reported. */
const leastMore = 1.1;

/** The causes that may keep a target down after the load has fallen, in a sentence each. */
function describeCauses(phases: readonly OverloadPhase[]): string[] {
  const [before, after] = (["base", "recovery"] as const).map((name) =>
    phases.find((phase) => phase.name === name),
  );
  return before === undefined || after === undefined
    ? []
    : [describeRetries(before, after), describeConnections(before, after)];
}

/** A test that retries sends more requests in each iteration. */
function describeRetries(before: OverloadPhase, after: OverloadPhase): string {
  const [first, last] = [before.requestsPerIteration, after.requestsPerIteration];
  if (first === null || last === null)
    return "bearhug cannot tell if retries kept it down, because no iteration ended.";
  return last > first * leastMore
    ? `Retries may have kept it down: each iteration sent ${formatNumber(last)} requests after the load fell, but only ${formatNumber(first)} before the overload.`
    : "Retries did not keep it down: iterations sent no more requests than before the overload.";
}

function describeConnections(before: OverloadPhase, after: OverloadPhase): string {
  const [first, last] = [before.connectionsOpened, after.connectionsOpened];
  return last >= 1 && last > first * leastMore
    ? `New connections may have kept it down: ${formatRate(last)} opened after the load fell, but only ${formatRate(first)} before the overload.`
    : "New connections did not keep it down: no more opened than before the overload.";
}

export const phaseTitles = ["phase", "offered", "goodput", "failed", "dropped", "p95"] as const;

const names: Readonly<Record<OverloadPhase["name"], string>> = {
  base: "at the rate",
  past: "above the rate",
  recovery: "back at the rate",
};

export function phaseCells({ name, offered, goodput, failed, dropped, p95 }: OverloadPhase): string[] {
  const rates = [offered, goodput, failed, dropped].map((rate) => formatRate(rate));
  return [names[name], ...rates, p95 === null ? "" : formatDuration(p95)];
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
