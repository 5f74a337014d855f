import type { OverloadKind, OverloadPhase, OverloadResult } from "@bearhug/sdk/result";
import { capitalized } from "@bearhug/text/capitalized";
import { formatDuration, formatPlanned } from "@bearhug/text/duration";
import { formatNumber, formatRate } from "@bearhug/text/number";

import { durationCell, number, type Table, text, valueCell } from "./table.ts";

const kinds: Readonly<Record<OverloadKind, string>> = {
  holds: "the target holds the load",
  sheds: "the target sheds load: it refuses part of the requests, and response times stop growing",
  queues: "the target queues requests: response times rise far above those at the rate",
  collapses: "the target collapses: it serves less than it could",
  unclear: "bearhug cannot tell how the target takes the load",
};

/** Describes how the target behaved above its rate, and how it recovered. */
export function describeOverload(overload: OverloadResult): string[] {
  return [describePast(overload), ...describeRecovery(overload)];
}

function describePast({ kind, because, rate, factor }: OverloadResult): string {
  return `At ${formatRate(rate * factor)}, ${formatNumber(factor)} times the rate, ${kinds[kind]}. ${capitalized(because)}.`;
}

/** Describes how long the target took to recover; empty if that is unknown. */
function describeRecovery({ kind, recovery, phases }: OverloadResult): string[] {
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

/** The least ratio to the first phase that counts as an increase. */
const leastMore = 1.1;

/** Describes what may have kept the target down after the load fell, a sentence for each possible cause. */
function describeCauses(phases: readonly OverloadPhase[]): string[] {
  const [before, after] = (["base", "recovery"] as const).map((name) =>
    phases.find((phase) => phase.name === name),
  );
  return before === undefined || after === undefined
    ? []
    : [describeRetries(before, after), describeConnections(before, after)];
}

/** A test that retries sends more requests per iteration. */
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

const phaseNames: Readonly<Record<OverloadPhase["name"], string>> = {
  base: "at the rate",
  past: "above the rate",
  recovery: "back at the rate",
};

/** Returns the table of the figures of each phase. */
export function phaseTable({ phases }: OverloadResult): Table {
  return {
    id: "overload-phases",
    title: "Phases of the overload",
    note: "requests per second",
    columns: [
      text("phase"),
      ...["offered", "goodput", "failed", "dropped", "p95"].map((title) => number(title)),
    ],
    rows: phases.map(({ name: phase, offered, goodput, failed, dropped, p95 }) => ({
      cells: [
        { text: phaseNames[phase] },
        ...[offered, goodput, failed, dropped].map((rate) => valueCell(rate, formatRate)),
        durationCell(p95),
      ],
    })),
  };
}
