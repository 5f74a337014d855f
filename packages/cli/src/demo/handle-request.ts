import type { IncomingMessage, ServerResponse } from "node:http";
import { notFound } from "./pages/not-found.ts";
import { readBody } from "./read-body.ts";
import { type Reply, text } from "./reply.ts";
import type { Router } from "./router.ts";
import { sendReply } from "./send-reply.ts";

/** Answers one request of the site. Rejects for a bug of the site's own, once the client has its 500. */
export async function handleRequest(
  router: Router,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => {
    gone.abort();
  });
  try {
    const reply = await answer(router, request, gone.signal);
    await sendReply(request, response, reply, gone.signal);
  } catch (error) {
    if (gone.signal.aborted) return;
    if (response.headersSent) response.destroy();
    else await sendReply(request, response, text("The demo site has a bug.\n", 500), gone.signal);
    throw error;
  }
}

async function answer(router: Router, request: IncomingMessage, signal: AbortSignal): Promise<Reply> {
  const [path, query] = splitUrl(request.url ?? "/");
  const match = router(request.method ?? "GET", path);
  if (match.kind === "not found") return notFound;
  if (match.kind === "method not allowed") {
    return text("This address does not support this method.\n", 405, { allow: match.allowed.join(", ") });
  }
  const body = await readBody(request);
  if (!body) return text("Request bodies are limited to 64 KiB.\n", 413, { connection: "close" });
  const { route, params } = match;
  return route.answer({ params, query: new URLSearchParams(query), headers: request.headers, body, signal });
}

function splitUrl(url: string): [path: string, query: string] {
  const mark = url.indexOf("?");
  return mark === -1 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)];
}
