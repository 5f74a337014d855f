import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { notFound } from "./pages/not-found.ts";
import { type Reply, text } from "./reply.ts";
import type { Router } from "./router.ts";

const maxBodyBytes = 64 * 1024;

/** Handles one request. Rejects for a bug in the site, after the client has received a 500. */
export async function handleRequest(
  router: Router,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
  try {
    const reply = await respond(router, request, disconnected.signal);
    await sendReply(request, response, reply, disconnected.signal);
  } catch (error) {
    if (disconnected.signal.aborted) return;
    if (response.headersSent) response.destroy();
    else await sendReply(request, response, text("The demo site has a bug.\n", 500), disconnected.signal);
    throw error;
  }
}

async function respond(router: Router, request: IncomingMessage, signal: AbortSignal): Promise<Reply> {
  const [path, query] = splitUrl(request.url ?? "/");
  const match = router(request.method ?? "GET", path);
  if (match.kind === "not found") return notFound;
  if (match.kind === "method not allowed") {
    return text("This address does not support this method.\n", 405, { allow: match.allowed.join(", ") });
  }
  const body = await readBody(request);
  if (!body) return text("Request bodies are limited to 64 KiB.\n", 413, { connection: "close" });
  const { route, params } = match;
  return route.respond({ params, query: new URLSearchParams(query), headers: request.headers, body, signal });
}

function splitUrl(url: string): [path: string, query: string] {
  const mark = url.indexOf("?");
  return mark === -1 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)];
}

/** Reads a request's whole body; undefined if it is larger than any form of the site needs. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
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

/** Sends a reply: negotiates gzip, omits the body for HEAD, streams in chunks. */
async function sendReply(
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

/** True if an `Accept-Encoding` header allows gzip; `gzip;q=0` rejects it. */
export function acceptsGzip(header: string | undefined): boolean {
  return (header ?? "").split(",").some((choice) => {
    const [coding = "", ...parameters] = choice.split(";").map((part) => part.trim().toLowerCase());
    return (
      (coding === "gzip" || coding === "*") && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    );
  });
}
