import type { Socket } from "node:net";

import type { Clock } from "@bearhug/plan/pacing/clock";
import { readThrown } from "@bearhug/plan/protocol/read-thrown";

import { TransportFailure } from "../failures/transport-failure.ts";
import { pieceBytes, type StreamedBody } from "../transport/wire-body.ts";

/** The dependencies of writing a body. */
export interface BodyWriting {
  readonly socket: Socket;
  /** True over TLS: Node calls back a turn after the system has a piece, possibly after the response. */
  readonly callsBackLate: boolean;
  readonly clock: Clock;
  /** Returns true if the rest of the body is no longer needed. */
  readonly isGivenUp: () => boolean;
  /** Called when the system has the whole body; with `callsBackLate`, when its last piece was written. */
  readonly onSent: () => void;
}

/** Writes a body while it is read. Rejects when it cannot be read. */
export async function writeBody(body: StreamedBody, writing: BodyWriting): Promise<void> {
  const { socket, isGivenUp } = writing;
  const write = body.length === null ? writeChunk : flush;
  let left = body.length ?? Number.POSITIVE_INFINITY;
  try {
    for await (const piece of body.open()) {
      // Reads pending data first, so that the response of a server that has responded and closed is not lost.
      await nextTurn(writing.clock);
      if (isGivenUp()) return;
      left -= piece.length;
      await (left === 0 ? writeEnd(writing, piece) : write(socket, piece));
      if (isGivenUp()) return;
      // The server may respond at once, before the source has reported its end.
      if (left === 0) writing.onSent();
    }
  } catch (error) {
    if (isGivenUp()) return;
    const { reason } = readThrown(error);
    throw new TransportFailure({ kind: "requestBody", reason });
  }
  if ((left === 0 && body.length !== 0) || isGivenUp()) return;
  if (body.length === null) await writeEnd(writing, lastChunk);
  if (!isGivenUp()) writing.onSent();
}

const lastChunk = Buffer.from("0\r\n\r\n");

/**
 * Writes the last bytes of a body. Resolves when the system has taken them; with `callsBackLate`, all but the
 * last piece.
 */
async function writeEnd({ socket, callsBackLate }: BodyWriting, bytes: Uint8Array): Promise<void> {
  if (!callsBackLate) {
    await flush(socket, bytes);
    return;
  }
  const before = Math.max(0, bytes.length - pieceBytes);
  if (before > 0) await flush(socket, bytes.subarray(0, before));
  socket.write(bytes.subarray(before));
}

async function writeChunk(socket: Socket, piece: Uint8Array): Promise<void> {
  if (piece.length === 0) return;
  socket.cork();
  socket.write(`${piece.length.toString(16)}\r\n`, "latin1");
  socket.write(piece);
  const flushed = flush(socket, "\r\n");
  socket.uncork();
  await flushed;
}

/** Resolves when the system has the bytes, or the write has failed: the socket reports the error itself. */
function flush(socket: Socket, bytes: Uint8Array | string): Promise<void> {
  return new Promise((resolve) => {
    socket.write(bytes, () => {
      resolve();
    });
  });
}

function nextTurn(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.nextTurn(resolve);
  });
}
