import type { IncomingMessage } from "node:http";

/** Enough to tell requests apart by. */
const maxComparedBytes = 1024 * 1024;

/** Whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

/** Waits for the end of a request's body; tells its text where it is wanted, and no longer than what is compared. */
export function receiveBody(
  request: IncomingMessage,
  isWanted: boolean,
  received: (text: string | null) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (isWanted && bytes <= maxComparedBytes) chunks.push(chunk);
    else chunks.length = 0;
  });
  request.once("end", () => {
    received(isWanted && bytes <= maxComparedBytes ? Buffer.concat(chunks).toString() : null);
  });
}
