import { sumBy } from "@bearhug/metrics/sum";
import type { RequestPhases, TestResult } from "@bearhug/sdk";
import { openingPhases, phaseNames, requestPhases } from "@bearhug/sdk/internal";
import type { ExchangeExemplar, PageExemplar } from "@bearhug/sdk/result";
import { formatBytes } from "@bearhug/text/bytes";
import { formatDuration } from "@bearhug/text/duration";
import { formatCount, formatCounted } from "@bearhug/text/number";

import { totalMs } from "../describe-exchange.ts";
import { fittingItems } from "./fit-items.ts";
import type { Selection, WaterfallData, WaterfallPhase, WaterfallRow } from "./page-data.ts";

/** The phases of a request in chronological order. */
export const waterfallPhases: readonly WaterfallPhase[] = phaseNames.map((phase) => {
  const { label, color } = requestPhases[phase];
  return { label: phase === "blocked" ? "queued" : label, color };
});

/** The room for waterfalls in a page, which stays below 2 MB. */
const mostCharacters = 250_000;

const kinds = { median: "median visit", slow: "slow visit" } as const;

const meaning = "Single visits. Both visits to a page have the same scale.";

/** Gathers the exchanges of the example visits to each page. Visits to the same page have the same scale. */
export function gatherWaterfalls(result: TestResult): Selection<WaterfallData> {
  const visits = result.exemplars?.pages ?? [];
  const waterfalls = visits.map((visit, index) => ({
    id: `waterfall-${index + 1}`,
    title: `${visit.page}, ${kinds[visit.kind]}`,
    note: describeVisit(visit, result),
    spanMs: Math.max(1, ...visits.filter(({ page }) => page === visit.page).map(endOf)),
    phases: waterfallPhases,
    rows: visit.exchanges.map(rowOf),
  }));
  const shown = new Set(visits.map(({ page }) => page));
  const others = result.pages.filter(({ name }) => !shown.has(name)).length;
  const without = others === 0 ? "" : ` ${formatCount(others)} other pages have no example.`;
  return fittingItems(waterfalls, mostCharacters, `${meaning}${without}`);
}

function describeVisit(visit: PageExemplar, { pages }: TestResult): string {
  const { kind, durationMs, atMs, scenario, exchanges, leftOut } = visit;
  const durations = pages.find(({ name }) => name === visit.page)?.metrics["page_duration"];
  const percentile =
    durations?.type === "trend" ? durations.values[kind === "median" ? "med" : "p(95)"] : null;
  const all = kind === "median" ? "median" : "95th percentile";
  const compared =
    typeof percentile === "number" ? ` (${all} of all visits: ${formatDuration(percentile)})` : "";
  const shown = formatCounted(exchanges.length, "request");
  const more = leftOut === 0 ? "" : ` of ${exchanges.length + leftOut}`;
  return `${formatDuration(durationMs)}${compared}; ${shown}${more}; began at ${formatDuration(atMs)} in ${scenario}`;
}

function endOf({ durationMs, exchanges }: PageExemplar): number {
  return Math.max(durationMs, ...exchanges.map((exchange) => exchange.atMs + totalMs(exchange)));
}

function rowOf(exchange: ExchangeExemplar): WaterfallRow {
  const { name, method, url, status, code, atMs, phases, bytesReceived, traceId = null } = exchange;
  return {
    name,
    address: `${method} ${url}`,
    trace: traceId,
    status: status === 0 ? (code ?? "") : String(status),
    tone: code === null ? "plain" : "bad",
    startMs: atMs,
    phasesMs: inOrder(phases),
    totalMs: totalMs(exchange),
    size: formatBytes(bytesReceived),
  };
}

/**
 * Returns the phases in chronological order. `blocked` is all the time before the request was sent, so what
 * was not spent on a new connection was spent waiting for one.
 */
function inOrder(phases: RequestPhases): number[] {
  const opening = sumBy(openingPhases, (phase) => phases[phase]);
  return phaseNames.map((phase) =>
    phase === "blocked" ? Math.max(0, phases[phase] - opening) : phases[phase],
  );
}
