import type { IncomingMessage } from "node:http";

const maxBodyBytes = 64 * 1024;

/** The whole body of a request, or undefined when it is larger than any form of the site needs. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) return undefined;
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    receivedBytes += chunk.length;
    if (receivedBytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
