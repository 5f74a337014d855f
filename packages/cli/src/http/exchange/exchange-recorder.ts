import type { RequestOptions } from "@bearhug/sdk";

import type { ErrorLog } from "../../metrics/error-log.ts";
import type { RequestRow, SharedAccounting } from "../../protocol/shared-accounting.ts";
import type { Exchange } from "./exchange.ts";
import { isExpectedStatus } from "../request/expectation.ts";
import { requestPhases } from "./phases.ts";
import type { SamplePlace } from "../session/sample-place.ts";

/** Where outcomes go: counts that must be exact, samples, and the errors table. */
export class ExchangeRecorder {
  readonly #accounting: SharedAccounting;
  readonly #errors: ErrorLog;
  readonly #startedAtMs: () => number;

  /** `startedAtMs`: when the run began, by the clock of the stamps. */
  constructor(accounting: SharedAccounting, errors: ErrorLog, startedAtMs: () => number) {
    this.#accounting = accounting;
    this.#errors = errors;
    this.#startedAtMs = startedAtMs;
  }

  record(
    exchange: Exchange,
    row: RequestRow,
    { scope, page }: SamplePlace,
    expect: RequestOptions["expect"],
  ): void {
    const { status, error, bytesSent, bytesReceived } = exchange;
    this.#accounting.add("bytesSent", bytesSent);
    this.#accounting.add("bytesReceived", bytesReceived);
    if (exchange.wasInterrupted) {
      row.interrupted();
      return;
    }
    if (page !== null) page.bytesReceived += bytesReceived;
    const isExpected = error === null && isExpectedStatus(status, expect);
    if (isExpected) row.succeeded();
    else row.failed();
    const wasConnected = !Number.isNaN(exchange.startedAt);
    const key = { name: row.name, method: exchange.endpoint.method, status, protocol: "HTTP/1.1" };
    const series = scope.requestSeries(key, isExpected);
    series.record({
      hasFailed: !isExpected,
      phases: wasConnected ? requestPhases(exchange, exchange.connection) : null,
      bytesSent,
      bytesReceived,
    });
    if (exchange.connection !== null) scope.series.counter("connections_opened").add(1);
    if (!isExpected) this.#recordError(exchange, row);
  }

  #recordError({ status, error, endedAt, endpoint }: Exchange, row: RequestRow): void {
    this.#errors.add({
      code: error?.code ?? `HTTP_${status}`,
      cause: error?.cause ?? null,
      message:
        error?.message ??
        `${endpoint.method} ${endpoint.url.origin}${endpoint.url.pathname} answered with status ${status}`,
      name: row.name,
      firstAtMs: endedAt - this.#startedAtMs(),
      position: null,
    });
  }
}
