import type { Counter, Rate } from "@bearhug/metrics/accumulator";
import { getOrAdd } from "@bearhug/metrics/get-or-add";
import type { MetricRegistry, Series } from "@bearhug/metrics/registry";
import type { Scope } from "@bearhug/metrics/scope";
import type { Tags } from "@bearhug/metrics/tags";
import type { Trend } from "@bearhug/metrics/trend";
import type { Timings } from "@bearhug/sdk";
import { eachOpeningPhase, eachPhase, openingPhases, requestPhases } from "@bearhug/sdk/internal";

import type { ConnectPhases } from "../net/opening-connection.ts";

/** The times of a request's events, by the worker's clock; NaN for events that did not happen. */
export interface ExchangeStamps {
  /** When the test made the call. */
  readonly calledAt: number;
  /** The intended start in an open model, for an iteration's first request; null for others. */
  readonly intendedAt: number | null;
  /** Just before the head is written to an open connection. */
  readonly startedAt: number;
  readonly sentAt: number;
  readonly firstByteAt: number;
  /** The last byte, or the failure. */
  readonly endedAt: number;
  /** How long the reader held the body back. */
  readonly pausedMs: number;
}

const reused: ConnectPhases = eachOpeningPhase(() => 0);

/**
 * Returns the phases of a request in ms, by k6's definitions: `blocked` is all the waiting for a connection,
 * including its opening; `duration` = sending + waiting + receiving. If a request ended early, its last phase
 * ends there. Time in which the test held the response back is in no phase.
 */
export function timingsOf(stamps: ExchangeStamps, connection: ConnectPhases | null): Timings {
  const { calledAt, intendedAt, endedAt, pausedMs } = stamps;
  const startedAt = Number.isNaN(stamps.startedAt) ? endedAt : stamps.startedAt;
  const respondedAt = Number.isNaN(stamps.firstByteAt) ? endedAt : stamps.firstByteAt;
  // A response that begins before the request is sent ends the sending phase.
  const sentAt = Number.isNaN(stamps.sentAt) ? respondedAt : stamps.sentAt;
  const firstByteAt = Math.max(respondedAt, sentAt);
  return {
    blocked: startedAt - calledAt,
    ...(connection ?? reused),
    sending: sentAt - startedAt,
    waiting: firstByteAt - sentAt,
    receiving: Math.max(0, endedAt - firstByteAt - pausedMs),
    duration: endedAt - startedAt - pausedMs,
    responseTime: endedAt - (intendedAt ?? calledAt) - pausedMs,
  };
}

/** The fields of an ended request that its sample depends on. */
export interface EndedRequest extends ExchangeStamps {
  /** How the connection was opened, if this request was the first on it. */
  readonly connection: ConnectPhases | null;
  readonly wasStopped: boolean;
  readonly wasCutOff: boolean;
  /** True if its times count as samples. */
  readonly hasTimes: boolean;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

/** The recorded values of one exchange; times in ms. */
export interface RequestSample {
  readonly hasFailed: boolean;
  /** Null if no connection opened: such a request has no latency. */
  readonly phases: Timings | null;
  /** The times were cut off before the request ended: they are lower bounds. */
  readonly isCutOff: boolean;
  /** Which of the last phases took place. Others get no sample, or a failing target would look fast. */
  readonly hasWaited: boolean;
  readonly hasReceived: boolean;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

/** Returns the sample of a request that has ended in any way. */
export function sampleOf(request: EndedRequest, isExpected: boolean): RequestSample {
  const hasReceived = !Number.isNaN(request.firstByteAt);
  return {
    hasFailed: !isExpected,
    phases: request.hasTimes ? timingsOf(request, request.connection) : null,
    isCutOff: request.wasCutOff,
    // A response that begins before the request is sent counts as a wait of 0.
    hasWaited: hasReceived || !Number.isNaN(request.sentAt),
    hasReceived,
    bytesSent: request.bytesSent,
    bytesReceived: request.bytesReceived,
  };
}

/**
 * Returns true for the common case: sent on an open connection, in a closed model, with a complete response,
 * events in the usual order and no pauses. Each phase is then the time between two stamps.
 */
export function isUsual(request: EndedRequest): boolean {
  const { connection, wasStopped, wasCutOff, intendedAt, pausedMs } = request;
  if (connection !== null || wasStopped || wasCutOff || intendedAt !== null || pausedMs !== 0) return false;
  const { startedAt, sentAt, firstByteAt, endedAt } = request;
  return startedAt <= sentAt && sentAt <= firstByteAt && firstByteAt <= endedAt;
}

/** The tags that distinguish the series of requests in one scope. */
export interface RequestSeriesKey {
  readonly name: string;
  readonly method: string;
  /** 0 if no response arrived. */
  readonly status: number;
  readonly protocol: string;
}

/** The accumulators that every request feeds, looked up once per series. */
export class RequestSeries {
  readonly #requests: Counter;
  readonly #failed: Rate;
  readonly #sent: Counter;
  readonly #received: Counter;
  readonly #series: Series;
  #trends: PhaseTrends | null = null;

  constructor(series: Series) {
    this.#series = series;
    this.#requests = series.counter("http_reqs");
    this.#failed = series.rate("http_req_failed");
    this.#sent = series.counter("data_sent");
    this.#received = series.counter("data_received");
  }

  /** The tags of all its requests. */
  get tags(): Tags {
    return this.#series.tags;
  }

  record(sample: RequestSample): void {
    const { hasFailed, phases, bytesSent, bytesReceived } = sample;
    this.#requests.add(1);
    this.#failed.add(hasFailed);
    if (bytesSent > 0) this.#sent.add(bytesSent);
    if (bytesReceived > 0) this.#received.add(bytesReceived);
    if (phases !== null) this.#recordPhases(phases, sample);
  }

  /** Records a usual request with an expected response, like `record` but without allocating objects. */
  recordUsual(request: EndedRequest): void {
    const { calledAt, startedAt, sentAt, firstByteAt, endedAt, bytesSent, bytesReceived } = request;
    const trends = (this.#trends ??= phaseTrends(this.#series));
    this.#requests.add(1);
    this.#failed.add(false);
    if (bytesSent > 0) this.#sent.add(bytesSent);
    if (bytesReceived > 0) this.#received.add(bytesReceived);
    trends.duration.add(endedAt - startedAt);
    trends.responseTime.add(endedAt - calledAt);
    trends.blocked.add(startedAt - calledAt);
    for (const trend of trends.opening) trend.addZero();
    trends.sending.add(sentAt - startedAt);
    trends.waiting.add(firstByteAt - sentAt);
    trends.receiving.add(endedAt - firstByteAt);
  }

  #recordPhases(phases: Timings, { isCutOff, hasWaited, hasReceived }: RequestSample): void {
    const trends = (this.#trends ??= phaseTrends(this.#series));
    trends.duration.addMeasured(phases.duration, isCutOff);
    trends.responseTime.addMeasured(phases.responseTime, isCutOff);
    trends.blocked.add(phases.blocked);
    for (const phase of openingPhases) trends[phase].add(phases[phase]);
    trends.sending.addMeasured(phases.sending, isCutOff && !hasWaited);
    if (hasWaited) trends.waiting.addMeasured(phases.waiting, isCutOff && !hasReceived);
    if (hasReceived) trends.receiving.addMeasured(phases.receiving, isCutOff);
  }
}

interface PhaseTrends extends Readonly<Record<keyof Timings, Trend>> {
  /** The trends of `openingPhases`. */
  readonly opening: readonly Trend[];
}

function phaseTrends(series: Series): PhaseTrends {
  const phases = eachPhase((phase) => series.trend(requestPhases[phase].metric));
  return {
    duration: series.trend("http_req_duration"),
    responseTime: series.trend("http_req_response_time"),
    ...phases,
    opening: openingPhases.map((phase) => phases[phase]),
  };
}

/** Series of one scope, by the request's name and then by its outcome. */
type SeriesOfScope = Map<string, Map<number, RequestSeries>>;

/** The series of the last request with a name: most requests end like the one before. */
class LastSeries {
  #scope: Scope;
  #method: string;
  #status: number;
  #protocol: string;
  #isExpected: boolean;
  readonly series: RequestSeries;

  constructor(
    scope: Scope,
    { method, status, protocol }: RequestSeriesKey,
    isExpected: boolean,
    series: RequestSeries,
  ) {
    this.#scope = scope;
    this.#method = method;
    this.#status = status;
    this.#protocol = protocol;
    this.#isExpected = isExpected;
    this.series = series;
  }

  isOf(scope: Scope, { method, status, protocol }: RequestSeriesKey, isExpected: boolean): boolean {
    if (this.#scope !== scope || this.#status !== status || this.#isExpected !== isExpected) return false;
    return this.#method === method && this.#protocol === protocol;
  }
}

/** Finds the series of each request in one registry. Runs once per request, so keys are small integers. */
export class RequestSamples {
  readonly #registry: MetricRegistry;
  readonly #byScope = new Map<Scope, SeriesOfScope>();
  /** By the request's name. */
  readonly #last = new Map<string, LastSeries>();
  readonly #methods = new Map<string, number>();

  constructor(registry: MetricRegistry) {
    this.#registry = registry;
  }

  of(scope: Scope, key: RequestSeriesKey, isExpected: boolean): RequestSeries {
    const last = this.#last.get(key.name);
    if (last?.isOf(scope, key, isExpected) === true) return last.series;
    const series = this.#find(scope, key, isExpected);
    this.#last.set(key.name, new LastSeries(scope, key, isExpected, series));
    return series;
  }

  #find(scope: Scope, key: RequestSeriesKey, isExpected: boolean): RequestSeries {
    const kind = (isExpected ? 1 : 0) + (key.protocol === "HTTP/2" ? 2 : 0);
    const outcome = (key.status * methodSpace + this.#methodNumber(key.method)) * 4 + kind;
    return (
      this.#byScope.get(scope)?.get(key.name)?.get(outcome) ?? this.#create(scope, key, isExpected, outcome)
    );
  }

  #create(scope: Scope, key: RequestSeriesKey, isExpected: boolean, outcome: number): RequestSeries {
    const { name, method, status, protocol } = key;
    const series = new RequestSeries(
      scope.seriesWith({
        name,
        method: this.#methodNumber(method) === otherMethod ? "(other)" : method,
        status: String(status),
        ...(status === 0 ? {} : { protocol }),
        expected_response: String(isExpected),
      }),
    );
    if (!this.#registry.reserveEntry()) return series;
    const ofScope = getOrAdd(this.#byScope, scope, () => new Map<string, Map<number, RequestSeries>>());
    getOrAdd(ofScope, name, () => new Map<number, RequestSeries>()).set(outcome, series);
    return series;
  }

  /** Returns a small number for a method, to keep series keys integers. All after the 63rd share one. */
  #methodNumber(method: string): number {
    const known = this.#methods.get(method);
    if (known !== undefined) return known;
    const number = Math.min(this.#methods.size, otherMethod);
    if (number < otherMethod) this.#methods.set(method, number);
    return number;
  }
}

const methodSpace = 64;
const otherMethod = methodSpace - 1;
