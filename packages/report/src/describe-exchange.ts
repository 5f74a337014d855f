import { sumBy } from "@bearhug/metrics/sum";
import type { ErrorResult, TestResult } from "@bearhug/sdk";
import { isOpening, phaseNames } from "@bearhug/sdk/internal";
import type { ExchangeExemplar, FailedExchange } from "@bearhug/sdk/result";
import { formatBytes } from "@bearhug/text/bytes";
import { formatDuration } from "@bearhug/text/duration";

import { byCount } from "./model/errors.ts";

/** Phases below this share of the total time are not mentioned. */
const leastShare = 0.02;

/** The consecutive phases. The others are parts of `blocked`. */
const phaseOrder = phaseNames.filter((phase) => !isOpening(phase));

/** Returns the example exchanges of an error, in chronological order. */
export function examplesOf(
  { code, name }: ErrorResult,
  { exemplars }: TestResult,
): readonly FailedExchange[] {
  return exemplars?.errors.filter((exchange) => exchange.code === code && exchange.name === name) ?? [];
}

/** Returns the first example of each error that has one, the most frequent error first. */
export function firstExamples(result: TestResult, most: number): readonly FailedExchange[] {
  return result.errors
    .toSorted(byCount)
    .flatMap((error) => examplesOf(error, result).slice(0, 1))
    .slice(0, most);
}

/** Returns the time from the call to the last byte, in ms. */
export function totalMs({ phases }: ExchangeExemplar): number {
  return sumBy(phaseOrder, (phase) => phases[phase]);
}

/** Describes the outcome, duration and time of an exchange. */
export function describeExchange(exchange: FailedExchange): string {
  const { status, atMs, phases, bytesReceived, page, scenario, traceId } = exchange;
  const total = totalMs(exchange);
  const mentioned = phaseOrder
    .filter((phase) => phases[phase] >= total * leastShare && phases[phase] > 0)
    .map((phase) => `${phase} ${formatDuration(phases[phase])}`);
  const parts = mentioned.length > 1 ? ` (${mentioned.join(", ")})` : "";
  const where = page === null ? `scenario ${scenario}` : `page ${page}`;
  const received = bytesReceived === 0 ? "" : `, ${formatBytes(bytesReceived)} received`;
  const outcome = status === 0 ? "no response" : `status ${status}`;
  const trace = traceId === undefined ? "" : `; trace ${traceId}`;
  return `${outcome} after ${formatDuration(total)}${parts}${received}, at ${formatDuration(atMs)} in ${where}${trace}`;
}
