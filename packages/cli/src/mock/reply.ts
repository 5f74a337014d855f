import type { IncomingMessage, ServerResponse } from "node:http";

import type { MockAnswer } from "./answer.ts";

/** An answer on its way to the client. */
export interface Reply {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: MockAnswer;
  /** The `set-cookie` by which a new visitor is known from now on; null for a known one. */
  readonly visitorCookie: string | null;
  /** Arrival of the request, by `performance.now()`. */
  readonly arrivedAtMs: number;
}

/**
 * Writes status and headers, which leave with the first bytes of the body. A redirect within the capture leads to the mock,
 * by the name that the client knows it by.
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

/** Sends an answer without delay. */
export function sendAtOnce(reply: Reply): void {
  sendHead(reply);
  reply.response.end(reply.answer.body);
}

/** Limits on the pieces of a body: no more than timers can keep apart. */
const maxPieces = 8;
const shortestPieceMs = 10;
/** The longest delay of Node's timers. */
const longestMs = 2 ** 31 - 1;

/**
 * Sends an answer as slowly as it was recorded: the first byte after the recorded delay, the body spread over the
 * recorded time of its transfer. An answer without a body is sent when the recorded one was complete.
 */
export function sendInTime(reply: Reply): void {
  void send(reply);
}

async function send(reply: Reply): Promise<void> {
  const { request, response, answer, arrivedAtMs } = reply;
  const { body, latency } = answer;
  const firstByteAtMs = arrivedAtMs + latency.firstByteMs;
  if (body.length === 0 || request.method === "HEAD" || latency.receiveMs === 0) {
    if (await reach(firstByteAtMs + latency.receiveMs, response)) sendAtOnce(reply);
    return;
  }
  if (!(await reach(firstByteAtMs, response))) return;
  sendHead(reply);
  response.flushHeaders();
  const pieces = Math.min(
    maxPieces,
    body.length,
    Math.max(1, Math.floor(latency.receiveMs / shortestPieceMs)),
  );
  for (let piece = 1; piece <= pieces; piece++) {
    if (!(await reach(firstByteAtMs + (latency.receiveMs * piece) / pieces, response))) return;
    response.write(body.subarray((body.length * (piece - 1)) / pieces, (body.length * piece) / pieces));
  }
  response.end();
}

/** Waits until `atMs`; false if the client disconnects before. */
function reach(atMs: number, response: ServerResponse): Promise<boolean> {
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
      Math.min(Math.ceil(leftMs), longestMs),
    );
    response.once("close", onClose);
  });
}
