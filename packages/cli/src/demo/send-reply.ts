import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Reply } from "./reply.ts";

/** Puts a reply on the wire: negotiates gzip, answers HEAD without a body, streams in chunks. */
export async function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  signal: AbortSignal,
): Promise<void> {
  const isHead = request.method === "HEAD";
  if (!Buffer.isBuffer(reply.body)) {
    response.writeHead(reply.status, { ...reply.headers });
    if (isHead) response.end();
    else await pipeline(Readable.from(reply.body(signal)), response);
    return;
  }
  const zipped = acceptsGzip(request.headers["accept-encoding"]) ? reply.gzipped : undefined;
  const body = zipped ?? reply.body;
  response.writeHead(reply.status, {
    ...reply.headers,
    ...(reply.gzipped && { vary: "accept-encoding" }),
    ...(zipped && { "content-encoding": "gzip" }),
    "content-length": body.length,
  });
  response.end(isHead ? undefined : body);
}

/** Whether an `Accept-Encoding` header allows gzip; `gzip;q=0` refuses it. */
export function acceptsGzip(header: string | undefined): boolean {
  return (header ?? "").split(",").some((choice) => {
    const [coding = "", ...parameters] = choice.split(";").map((part) => part.trim().toLowerCase());
    return (
      (coding === "gzip" || coding === "*") && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    );
  });
}
