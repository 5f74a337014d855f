import type { IncomingMessage, ServerResponse } from "node:http";

import type { MockResponse } from "./mock-response.ts";

/** A response that is being sent to a client. */
export interface Reply {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: MockResponse;
  /** The `set-cookie` that identifies a new visitor; null for a known one. */
  readonly visitorCookie: string | null;
  /** Arrival of the request, by `performance.now()`. */
  readonly arrivedAtMs: number;
}

/**
 * Writes status and headers, which are sent with the first bytes of the body. A redirect within the capture
 * leads to the mock, under the host name that the client used.
 */
function sendHead({ request, response, answer, visitorCookie }: Reply): void {
  const { status, headers, location } = answer;
  const { host } = request.headers;
  const base = host === undefined ? "" : `http://${host}`;
  response.writeHead(status, [
    ...headers,
    ...(location === null ? [] : ["location", base + location]),
    ...(visitorCookie === null ? [] : ["set-cookie", visitorCookie]),
  ]);
}

/** Sends a response without delay. */
export function sendImmediately(reply: Reply): void {
  sendHead(reply);
  reply.response.end(reply.answer.body);
}

/** The most pieces of a body, and their least distance: timers cannot separate more. */
const maxPieces = 8;
const minPieceMs = 10;
/** The longest delay of Node's timers. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Sends a response as slowly as it was recorded: the first byte after the recorded delay, the body spread
 * over the recorded time of its transfer. A response without a body is sent when the recorded one was
 * complete.
 */
export function sendAsRecorded(reply: Reply): void {
  void send(reply);
}

async function send(reply: Reply): Promise<void> {
  const { request, response, answer, arrivedAtMs } = reply;
  const { body, latency } = answer;
  const firstByteAtMs = arrivedAtMs + latency.firstByteMs;
  if (body.length === 0 || request.method === "HEAD" || latency.receiveMs === 0) {
    if (await waitUntil(firstByteAtMs + latency.receiveMs, response)) sendImmediately(reply);
    return;
  }
  if (!(await waitUntil(firstByteAtMs, response))) return;
  sendHead(reply);
  response.flushHeaders();
  const pieces = Math.min(maxPieces, body.length, Math.max(1, Math.floor(latency.receiveMs / minPieceMs)));
  for (let piece = 1; piece <= pieces; piece++) {
    if (!(await waitUntil(firstByteAtMs + (latency.receiveMs * piece) / pieces, response))) return;
    response.write(body.subarray((body.length * (piece - 1)) / pieces, (body.length * piece) / pieces));
  }
  response.end();
}

/** Waits until `atMs`; resolves to false if the client disconnects before. */
function waitUntil(atMs: number, response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const leftMs = atMs - performance.now();
    if (leftMs <= 0 || response.destroyed) {
      resolve(!response.destroyed);
      return;
    }
    const onClose = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(
      () => {
        response.off("close", onClose);
        resolve(true);
      },
      Math.min(Math.ceil(leftMs), maxTimerMs),
    );
    response.once("close", onClose);
  });
}
