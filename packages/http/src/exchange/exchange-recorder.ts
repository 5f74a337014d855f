import type { ErrorLog, ErrorOccurrence } from "@bearhug/metrics/error-log";
import type { FailedExchanges } from "@bearhug/metrics/exemplar-log";
import type { Scope } from "@bearhug/metrics/scope";
import type { Tags } from "@bearhug/metrics/tags";
import type { TargetLog } from "@bearhug/metrics/target-log";
import type { TurnOperation } from "@bearhug/metrics/turn-tally";
import {
  isLongWait,
  markCutOff,
  type Ledger,
  type Place,
  type VirtualUser,
} from "@bearhug/plan/clients/client";
import type { SampledRequest, SampleRecorder } from "@bearhug/plan/clients/sample-recorder";
import type { Tracer } from "@bearhug/plan/clients/tracer";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import type { RequestRow, SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import { isOpening, redirectStatuses } from "@bearhug/sdk/internal";
import { capMessage, capName } from "@bearhug/text/cap-text";
import { foreignLine, type ForeignText, foreignSentence, quotedText } from "@bearhug/text/foreign-text";
import type { MaskedText } from "@bearhug/text/masked-text";
import type { Mask } from "@bearhug/text/secret-mask";

import type { DecodedSizes } from "./decoded-sizes.ts";
import { describeFailed, EndedExchange } from "./exchange-exemplar.ts";
import type { Exchange } from "./exchange.ts";
import { traceExchange } from "./trace-exchange.ts";
import type { Endpoint } from "../request/endpoint.ts";
import { leadsNowhere, nextHop } from "../request/redirects.ts";
import { traceIdOf } from "../request/traceparent.ts";
import { RawResponseHeaders } from "../response/response-headers.ts";
import type { MaskedFailure } from "../failures/failure-info.ts";
import type { ErrorHeader } from "../transport/error-header.ts";
import { isUsual, RequestSamples, sampleOf, timingsOf } from "../samples/request-samples.ts";

/** The request that an error belongs to. */
type FailedRequest = Pick<ErrorOccurrence, "name" | "origin" | "firstAtMs" | "position">;

/** The kind of a body in which a target may say that it refuses a request; null for any other. */
export type BodyKind = "page" | "json" | null;

interface Failure {
  readonly code: string;
  /** Null for a response whose status was not expected. */
  readonly error: MaskedFailure | null;
  readonly scope: Scope;
}

/** A cookie that a response set and browsers reject, for a reason such as the lack of TLS. */
export interface RejectedCookie {
  readonly name: string;
  readonly url: URL;
  readonly reason: string;
}

/** The length to which an address in a sentence is cut. */
const maxLocationCharacters = 200;
/** The length to which a cookie's name in a sentence is cut. */
const maxCookieCharacters = 80;
/** The length to which the name of a form's field in a sentence is cut. */
const maxFieldCharacters = 80;
/** The length to which JSON in a sentence is cut. */
const maxJsonCharacters = 200;

/** The size from which a body is compared with others. Smaller ones may differ for any reason. */
const minComparedBytes = 4096;
/** How much smaller than the largest a body must be to look like another page. */
const shrinksBy = 10;

/** Records ended exchanges (counts, samples, rows of the errors table) and notifies their virtual users. */
export class ExchangeRecorder {
  /** The kinds of bodies, by the headers of responses: those of a head that is known are the same array. */
  readonly bodyKinds: WeakMap<readonly string[], BodyKind> = new WeakMap();
  readonly #accounting: SharedAccounting;
  readonly #errors: ErrorLog;
  readonly #failures: FailedExchanges;
  readonly #samples: RequestSamples;
  readonly #targets: TargetLog;
  readonly #mask: Mask;
  readonly #startedAtMs: () => number;
  readonly #sampled: SampleRecorder | null;
  readonly #tracer: Tracer | null;

  /** `startedAtMs`: when the run began, by the clock of the stamps. */
  constructor(ledger: Ledger, mask: Mask, startedAtMs: () => number) {
    const { accounting, registry, errors, exemplars, targets, samples, tracer } = ledger;
    this.#accounting = accounting;
    this.#errors = errors;
    this.#targets = targets;
    this.#failures = exemplars.failures;
    this.#samples = new RequestSamples(registry);
    this.#mask = mask;
    this.#startedAtMs = startedAtMs;
    this.#sampled = samples;
    this.#tracer = tracer;
  }

  /**
   * Records an ended exchange and notifies its VU. `fault`: the failure of a complete response.
   * `sizes`: the decoded sizes of the measured variant; null without variants.
   */
  conclude(
    exchange: Exchange,
    vu: VirtualUser,
    place: Place,
    expect: Expectation,
    fault: MaskedFailure | null,
    sizes: DecodedSizes | null,
  ): void {
    if (!Number.isNaN(exchange.startedAt)) vu.onConnected();
    else if (hasNotConnected(exchange)) vu.onConnectFailed();
    if (exchange.wasStopped && !exchange.wasInterrupted) markCutOff(place);
    if (isLost(exchange)) vu.onTimeLost(exchange.calledAt, exchange.endedAt);
    this.#record(exchange, exchange.request.row, place, expect, fault);
    if (place.turn !== null && !exchange.wasInterrupted) {
      const isExpected =
        exchange.error === null && fault === null && isExpectedStatus(exchange.status, expect);
      // Also during a changeover, which tallies nothing: a size learned then need not be learned again.
      const operation = turnOperation(exchange, !isExpected, sizes);
      place.turn.tally?.addOperation(operation);
    }
  }

  #record(
    exchange: Exchange,
    row: RequestRow,
    { scope, page }: Place,
    expect: Expectation,
    fault: MaskedFailure | null,
  ): void {
    const { bytesSent, bytesReceived } = exchange;
    const error = exchange.error ?? fault;
    if (exchange.head !== null) noteResponseTimes(exchange, row);
    this.#accounting.addBytes(bytesSent, bytesReceived);
    const isExpected = error === null && isExpectedStatus(exchange.status, expect);
    const code = isExpected ? null : (error?.code ?? `HTTP_${exchange.status}`);
    if (exchange.wasInterrupted) {
      row.interrupted();
      return;
    }
    if (this.#tracer !== null) {
      const failure = code === null ? null : { code, message: error?.message ?? null };
      this.#tracer.exchange(traceExchange(exchange, scope.tags, failure), this.#mask);
    }
    if (page !== null) {
      page.bytesReceived += bytesReceived;
      page.watched?.add(new EndedExchange(exchange, code, this.#mask));
    }
    const scenario = scope.tags["scenario"] ?? "";
    const origin = exchange.request.endpoint.origin.text;
    if (isExpected) {
      row.succeeded();
      this.#targets.succeeded(scenario, origin, exchange.endedAt);
    } else {
      row.failed();
      this.#targets.failed(scenario, origin);
    }
    const series = this.#samples.of(scope, exchange, isExpected);
    if (isExpected && isUsual(exchange)) series.recordUsual(exchange);
    else series.record(sampleOf(exchange, isExpected));
    if (this.#sampled?.takes(!isExpected) === true)
      this.#sampled.record(sampledRequest(exchange, series.tags, code));
    if (exchange.connection !== null) {
      scope.series.counter("connections_opened").add(1);
      if (exchange.connection.tlsHandshaking > 0) scope.series.counter("tls_handshakes").add(1);
    }
    if (code !== null) this.#recordError(exchange, { code, error, scope }, row);
    if (exchange.surplusBytes > 0) this.#recordSurplus(exchange, row);
    if (exchange.isUploadCut && isExpected && exchange.status < 300) this.#recordCutUpload(exchange, row);
    // A test that lists the statuses it expects knows what its responses are about.
    if (isExpected && expect === null) this.#recordOddities(exchange, row);
  }

  #recordError(exchange: Exchange, { code, error, scope }: Failure, row: RequestRow): void {
    const message = (): MaskedText => error?.message ?? this.#describeStatus(exchange);
    this.#errors.add({
      code,
      cause: error?.cause ?? null,
      message,
      ...this.#where(exchange, row),
    });
    this.#failures.count(code, capName(row.name, this.#mask.hide), () =>
      describeFailed(
        exchange,
        { code, message: capMessage(message()), tags: scope.series.tags, startedAtMs: this.#startedAtMs() },
        this.#mask,
      ),
    );
  }

  /** Adds an error for a body that the target did not wait for. The response itself still counts as it is. */
  #recordCutUpload(exchange: Exchange, row: RequestRow): void {
    const message = (): MaskedText => this.#describeStatus(exchange);
    this.#errors.add({ code: "UPLOAD_ABORTED", cause: null, message, ...this.#where(exchange, row) });
  }

  /** Adds an error for a body that is far smaller than another of the same address. It still counts as it is. */
  watchSize(exchange: Exchange): void {
    const { status, error, head, bodyBytes, request } = exchange;
    if (status !== 200 || error !== null || head === null) return;
    const { endpoint, row } = request;
    const { largestBodyBytes: largest } = endpoint;
    if (bodyBytes >= largest) {
      endpoint.largestBodyBytes = bodyBytes;
      return;
    }
    if (largest < minComparedBytes || bodyBytes * shrinksBy > largest) return;
    // Caches may compress a page only after its first request.
    if (new RawResponseHeaders(head.rawHeaders()).get("content-encoding") !== null) return;
    const message = (): MaskedText =>
      foreignSentence`${addressOf(exchange.request.endpoint)} responded with status 200 and a body of ${bodyBytes} bytes, after one of ${largest} bytes`.masked(
        this.#mask,
      );
    this.#errors.add({ code: "BODY_SHRUNK", cause: null, message, ...this.#where(exchange, row) });
  }

  #recordOddities(exchange: Exchange, row: RequestRow): void {
    const { status, head } = exchange;
    const errorHeader = head?.errorHeader ?? null;
    if (errorHeader !== null && status === 200) this.#recordErrorHeader(exchange, errorHeader, row);
    else if (redirectStatuses.has(status)) this.#recordMissingLocation(exchange, row);
  }

  /** Adds an error for a redirect without a target. The response itself still counts as it is. */
  #recordMissingLocation(exchange: Exchange, row: RequestRow): void {
    const { status, method, rawHeaders } = exchange;
    const headers = new RawResponseHeaders(rawHeaders);
    const target = { locations: headers.getAll("location"), refresh: headers.get("refresh") };
    if (!leadsNowhere(status, method, target)) return;
    const message = (): MaskedText =>
      foreignSentence`${addressOf(exchange.request.endpoint)} responded with status ${status}, but without a location`.masked(
        this.#mask,
      );
    this.#errors.add({ code: "LOCATION_MISSING", cause: null, message, ...this.#where(exchange, row) });
  }

  /** Adds an error for a header that reports a failure. The response itself still counts as it is. */
  #recordErrorHeader(exchange: Exchange, { text, cause }: ErrorHeader, row: RequestRow): void {
    const message = (): MaskedText =>
      foreignSentence`${addressOf(exchange.request.endpoint)} responded with status 200 and ${foreignLine(text)}`.masked(
        this.#mask,
      );
    this.#errors.add({ code: "ERROR_HEADER", cause, message, ...this.#where(exchange, row) });
  }

  #describeStatus(exchange: Exchange): MaskedText {
    return foreignSentence`${addressOf(exchange.request.endpoint)} responded with status ${exchange.status}${cutUpload(exchange)}`.masked(
      this.#mask,
    );
  }

  /** Adds an error for the surplus bytes. The response itself still counts as it is. */
  #recordSurplus(exchange: Exchange, row: RequestRow): void {
    const message = (): MaskedText =>
      foreignSentence`${addressOf(exchange.request.endpoint)} sent ${exchange.surplusBytes} bytes after the end of its response: the connection was closed`.masked(
        this.#mask,
      );
    this.#errors.add({ code: "SURPLUS_BYTES", cause: null, message, ...this.#where(exchange, row) });
  }

  /** Adds an error for a body that a redirect to this address dropped. The redirect still counts as it is. */
  recordDroppedBody(from: Endpoint, row: RequestRow, status: number, to: Endpoint, atMs: number): void {
    const message = (): MaskedText =>
      foreignSentence`${addressOf(from)} was redirected with status ${status}, and so became ${addressOf(to)} without a body, as in browsers: use the address that it was redirected to`.masked(
        this.#mask,
      );
    this.#errors.add({ code: "BODY_DROPPED", cause: null, message, ...this.#at(atMs, from, row) });
  }

  /** Adds an error for a redirect to an error page of status 200. The request still counts as it is. */
  recordErrorPage(from: Endpoint, row: RequestRow, page: Endpoint, atMs: number): void {
    const message = (): MaskedText =>
      foreignSentence`${addressOf(from)} was redirected to ${withoutQuery(page)}, which looks like an error page and responded with status 200`.masked(
        this.#mask,
      );
    this.#errors.add({ code: "ERROR_PAGE", cause: null, message, ...this.#at(atMs, from, row) });
  }

  /** Adds an error for a form that came back with the field of a password. The request still counts as it is. */
  recordFormShownAgain(endpoint: Endpoint, row: RequestRow, field: string, atMs: number): void {
    const message = (): MaskedText =>
      foreignSentence`the response to ${addressOf(endpoint)} shows the password field ${quotedText(field, maxFieldCharacters)} again, so the target may have refused the form`.masked(
        this.#mask,
      );
    this.#errors.add({ code: "FORM_SHOWN_AGAIN", cause: null, message, ...this.#at(atMs, endpoint, row) });
  }

  /** Adds an error for a response whose JSON reports errors. The request still counts as it is. */
  recordJsonErrors(endpoint: Endpoint, row: RequestRow, json: string, atMs: number): void {
    const message = (): MaskedText =>
      foreignSentence`the response to ${addressOf(endpoint)} was ${foreignLine(json, maxJsonCharacters)}`.masked(
        this.#mask,
      );
    this.#errors.add({ code: "JSON_ERRORS", cause: null, message, ...this.#at(atMs, endpoint, row) });
  }

  /** Adds an error for a request without a cookie that browsers reject. The request still counts as it is. */
  recordRejectedCookie(cookie: RejectedCookie, to: Endpoint, row: RequestRow, atMs: number): void {
    const { name, url, reason } = cookie;
    const message = (): MaskedText =>
      foreignSentence`no browser would keep the cookie ${quotedText(name, maxCookieCharacters)} that ${foreignLine(url.origin)} set: ${foreignLine(reason)}`.masked(
        this.#mask,
      );
    this.#errors.add({ code: "COOKIE_REJECTED", cause: null, message, ...this.#at(atMs, to, row) });
  }

  /** Notes the first redirect that is not followed, if it has a target. */
  recordRedirect(exchange: Exchange, { scope }: Place): void {
    const { status, head, request, name, calledAt } = exchange;
    const { method, url, origin } = request.endpoint;
    if (head === null || !redirectStatuses.has(status)) return;
    this.#targets.redirected(scope.tags["scenario"] ?? "", origin.text, () => {
      const locations = new RawResponseHeaders(head.rawHeaders()).getAll("location");
      const hop = nextHop(status, locations.find((one) => one !== "") ?? null, method, url);
      if (hop === null) return null;
      return {
        atMs: calledAt - this.#startedAtMs(),
        name: capName(name, this.#mask.hide),
        status,
        location: this.#mask.excerptWithEllipsis(hop.url.href, maxLocationCharacters),
      };
    });
  }

  /** Counts a request that was redirected to a login page. */
  recordLogin({ scope }: Place, origin: string, name: string, page: string): void {
    this.#targets.sentToLogin(scope.tags["scenario"] ?? "", origin, name, page);
  }

  /** Records bytes on an idle connection: any earlier response on it may belong to another request. */
  recordUnrequestedBytes(origin: string, bytes: number, name: string, atMs: number): void {
    const message = (): MaskedText =>
      foreignSentence`${origin} sent ${bytes} unrequested bytes on an idle connection: it was closed, and earlier responses on it may belong to other requests`.masked(
        this.#mask,
      );
    const firstAtMs = atMs - this.#startedAtMs();
    this.#errors.add({
      code: "SURPLUS_BYTES",
      cause: null,
      message,
      name,
      origin,
      firstAtMs,
      position: null,
    });
  }

  #where({ endedAt, request }: Exchange, row: RequestRow): FailedRequest {
    return this.#at(endedAt, request.endpoint, row);
  }

  #at(atMs: number, { origin }: Endpoint, { name }: RequestRow): FailedRequest {
    return { name, origin: origin.text, firstAtMs: atMs - this.#startedAtMs(), position: null };
  }
}

function sampledRequest(exchange: Exchange, tags: Tags, error: string | null): SampledRequest {
  const { status, calledAt, bytesSent, bytesReceived } = exchange;
  const timings = exchange.hasTimes ? timingsOf(exchange, exchange.connection) : null;
  const traceId = traceIdOf(exchange.request.wire.headers);
  return { tags, error, status, calledAt, timings, bytesSent, bytesReceived, traceId };
}

function noteResponseTimes({ firstByteAt, calledAt, endedAt, error }: Exchange, row: RequestRow): void {
  const waitedMs = firstByteAt - calledAt;
  if (waitedMs > row.longestWaitMs) row.longestWaitMs = waitedMs;
  if (error === null && endedAt - calledAt > row.longestTotalMs) row.longestTotalMs = endedAt - calledAt;
}

function addressOf(endpoint: Endpoint): ForeignText {
  return foreignSentence`${endpoint.method} ${withoutQuery(endpoint)}`;
}

function withoutQuery({ href }: Endpoint): ForeignText {
  return foreignLine(/^[^?#]*/.exec(href)?.[0] ?? "");
}

function cutUpload({ isUploadCut, bytesSent }: Exchange): string {
  return isUploadCut ? ` before its body was sent: upload aborted after ${bytesSent} bytes` : "";
}

/** The expected statuses; null if neither the request nor its `http` options list any: 200 to 399. */
export type Expectation = ValidatedHttp["expect"];

/** Returns true for a status that was expected. */
export function isExpectedStatus(status: number, expect: Expectation): boolean {
  if (expect === null) return status >= 200 && status <= 399;
  return expect.some(({ min, max }) => status >= min && status <= max);
}

function turnOperation(exchange: Exchange, hasFailed: boolean, sizes: DecodedSizes | null): TurnOperation {
  const { bytesReceived, bodyBytes, wasCutOff: isCutOff, head } = exchange;
  const hasResponse = head !== null && exchange.error === null;
  return {
    hasFailed,
    timeMs: exchange.hasTimes ? exchange.timings().responseTime : null,
    isCutOff,
    bytesReceived,
    bodyBytes: hasResponse ? bodyBytes : null,
    decodedBytes: hasResponse ? (sizes?.of(exchange) ?? null) : null,
  };
}

/** Returns true if a connection did not open. An abort by the test is no evidence about the target. */
function hasNotConnected({ error }: Exchange): boolean {
  return error !== null && isOpening(error.phase) && error.code !== "REQUEST_ABORTED";
}

/** Returns true if the VU waited in vain: much longer than responses take, or until a timeout. */
function isLost(exchange: Exchange): boolean {
  const { error, wasInterrupted, hasTimedOut, wasStopped, calledAt, endedAt, request } = exchange;
  if (error === null || wasInterrupted || error.code === "BODY_TOO_LARGE") return false;
  return hasTimedOut || wasStopped || isLongWait(endedAt - calledAt, request.row);
}
