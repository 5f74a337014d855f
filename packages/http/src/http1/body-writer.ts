import type { Socket } from "node:net";

import type { Clock } from "@bearhug/plan/pacing/clock";
import { readThrown } from "@bearhug/plan/protocol/read-thrown";

import { TransportFailure } from "../failures/transport-failure.ts";
import { pieceBytes, type StreamedBody } from "../transport/wire-body.ts";

/** The parts that writing a body uses. */
export interface BodyWriting {
  readonly socket: Socket;
  /** True over TLS: Node calls back a turn after the system has a piece, by when the answer may have been read. */
  readonly tellsLate: boolean;
  readonly clock: Clock;
  /** Nobody wants the rest any more. */
  readonly isGivenUp: () => boolean;
  /** The whole body is with the system; where it tells late, its last piece was written. */
  readonly onSent: () => void;
}

/** Writes a body while it is read. Rejects when it cannot be read. */
export async function writeBody(body: StreamedBody, writing: BodyWriting): Promise<void> {
  const { socket, isGivenUp } = writing;
  const write = body.length === null ? writeChunk : flush;
  let left = body.length ?? Number.POSITIVE_INFINITY;
  try {
    for await (const piece of body.open()) {
      // What came in the meantime is read first: a server that answered and hung up has its answer heard.
      await nextTurn(writing.clock);
      if (isGivenUp()) return;
      left -= piece.length;
      await (left === 0 ? writeEnd(writing, piece) : write(socket, piece));
      if (isGivenUp()) return;
      // The server may answer at once, before the source has said that this was its last.
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

/** Writes the last bytes of a body. Resolves when the system has them, or where it tells late, when no more than a piece is left to it. */
async function writeEnd({ socket, tellsLate }: BodyWriting, bytes: Uint8Array): Promise<void> {
  if (!tellsLate) {
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

/** Resolves when the system has it, or never will: what went wrong then is told by the socket. */
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
