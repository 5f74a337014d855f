import { STATUS_CODES } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import { type Clock, pause } from "@bearhug/plan/pacing/clock";
import { errorMessage } from "@bearhug/text/caught-error";

import type { OtlpOptions } from "./otlp-options.ts";

/** The outcome of one export, with its retries. */
export type Sent =
  /** `rejected`: the number of points that the receiver rejected; it accepted the others. */
  | { readonly isDelivered: true; readonly rejected: number }
  | { readonly isDelivered: false; readonly reason: string };

/** Statuses after which OTLP allows a retry. */
const retriable = new Set([429, 502, 503, 504]);
const firstBackOffMs = 500;
/** The most characters read of a response. */
const longestResponse = 65_536;

type Destination = Pick<OtlpOptions, "url" | "headers" | "isCompressed">;

/**
 * Sends one request by OTLP/HTTP. Retries while the receiver is busy or cannot be reached, until the time is
 * up.
 */
export async function sendMetrics(
  body: string,
  destination: Destination,
  timeoutMs: number,
  clock: Clock,
): Promise<Sent> {
  const endMs = clock.now() + timeoutMs;
  // The first reason is reported: the last attempt may only have had too little time.
  let failed: Sent | null = null;
  for (let backOffMs = firstBackOffMs; ; backOffMs *= 2) {
    const attempted = await attempt(body, destination, Math.max(1, Math.ceil(endMs - clock.now())));
    if (attempted.sent.isDelivered) return attempted.sent;
    failed ??= attempted.sent;
    if (attempted.retryAfterMs === null) return failed;
    // Random, so that many senders do not retry at the same moment.
    const waitMs = Math.max(attempted.retryAfterMs, backOffMs * (0.5 + Math.random() / 2));
    if (clock.now() + waitMs >= endMs) return failed;
    await pause(clock, waitMs);
  }
}

interface AttemptResult {
  readonly sent: Sent;
  /** The least time to wait before a retry; null if the outcome is final. */
  readonly retryAfterMs: number | null;
}

async function attempt(
  text: string,
  { url, headers, isCompressed }: Destination,
  timeoutMs: number,
): Promise<AttemptResult> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(isCompressed && { "content-encoding": "gzip" }),
        ...headers,
      },
      body: isCompressed ? await promisify(gzip)(text) : text,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await readResponse(response);
  } catch (error) {
    return { sent: { isDelivered: false, reason: describeError(error, timeoutMs) }, retryAfterMs: 0 };
  }
}

async function readResponse(response: Response): Promise<AttemptResult> {
  const { status, ok, headers } = response;
  if (ok) return { sent: { isDelivered: true, rejected: await readRejected(response) }, retryAfterMs: null };
  await response.body?.cancel();
  const reason = `it answered ${[status, STATUS_CODES[status] ?? ""].join(" ").trimEnd()}`;
  const retryAfterMs = retriable.has(status) ? readRetryAfter(headers.get("retry-after")) : null;
  return { sent: { isDelivered: false, reason }, retryAfterMs };
}

/** Returns the number of points that the receiver rejected, from `ExportMetricsPartialSuccess`. */
async function readRejected(response: Response): Promise<number> {
  const match = /"rejectedDataPoints"\s*:\s*"?(\d+)/.exec(await readStart(response));
  return Number(match?.[1] ?? 0);
}

async function readStart(response: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    if (chunk instanceof Uint8Array) text += decoder.decode(chunk, { stream: true });
    if (text.length > longestResponse) break;
  }
  return text;
}

/** Returns milliseconds from now. The header has seconds or a date. */
function readRetryAfter(header: string | null): number {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

function describeError(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `it did not answer within ${Math.round(timeoutMs / 100) / 10} s`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return errorMessage(cause);
}
