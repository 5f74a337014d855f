import type { ServerResponse } from "node:http";
import { sendHead, type Reply } from "./reply.ts";
import { sendAtOnce } from "./send-at-once.ts";

/** A body comes in so many pieces at most, none faster than timers tell apart. */
const maxPieces = 8;
const shortestPieceMs = 10;
/** The longest that Node's timers wait, and longer than anybody does. */
const longestMs = 2 ** 31 - 1;

/**
 * Sends an answer as slowly as it was recorded: its first byte so long after the request arrived, its body spread over the
 * time that it took to receive. One without a body comes as a whole when the recorded one was complete.
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

/** Waits for a moment; false where the client has gone meanwhile. */
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
