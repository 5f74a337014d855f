import type { Socket } from "node:net";

import { TransportFailure } from "../exchange/transport-failure.ts";
import type { StreamedBody } from "../request/request-body.ts";

/** A body in memory is written in pieces of this size, each when the one before is with the system. */
const pieceBytes = 64 * 1024;

/** Whether a body is so large that its sending takes time which is to be seen. */
export function isLarge(body: Uint8Array): boolean {
  return body.length > pieceBytes;
}

/** A large body, in pieces. */
export function inPieces(body: Uint8Array): StreamedBody {
  return {
    length: body.length,
    isRepeatable: true,
    open: () => pieces(body),
  };
}

/** Writes a body while it is read; resolves to whether all of it was written. Rejects when it cannot be read. */
export async function writeBody(
  socket: Socket,
  body: StreamedBody,
  isGivenUp: () => boolean,
): Promise<boolean> {
  const isChunked = body.length === null;
  try {
    for await (const piece of body.open()) {
      if (isGivenUp()) return false;
      if (piece.length === 0) continue;
      if (isChunked) socket.write(`${piece.length.toString(16)}\r\n`, "latin1");
      await flush(socket, piece);
      if (isChunked) socket.write("\r\n", "latin1");
    }
  } catch (error) {
    if (isGivenUp()) return false;
    const reason = error instanceof Error ? error.message : String(error);
    throw new TransportFailure({ kind: "requestBody", reason });
  }
  if (isGivenUp()) return false;
  if (isChunked) await flush(socket, "0\r\n\r\n");
  return !isGivenUp();
}

/** Resolves when the system has it, or never will: what went wrong then is told by the socket. */
export function flush(socket: Socket, bytes: Uint8Array | string): Promise<void> {
  return new Promise((resolve) => {
    socket.write(bytes, () => {
      resolve();
    });
  });
}

async function* pieces(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < body.length; position += pieceBytes)
    yield await Promise.resolve(body.subarray(position, position + pieceBytes));
}
