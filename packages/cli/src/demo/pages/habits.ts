import { setTimeout as delay } from "node:timers/promises";
import { compressed, html, redirect, type Reply, text } from "../reply.ts";
import { get, type Route } from "../route.ts";
import { layout } from "./layout.ts";

const slowMs = 300;
const maxSlowMs = 10_000;
/** Exactly 5 %: of n requests, ⌊n / 20⌋ fail. */
const flakyEvery = 20;
const streamChunks = 10;
const streamPauseMs = 50;

/**
 * Returns routes that behave like real sites in ways that affect a load test: slow, flaky, streaming,
 * redirecting.
 */
export function habitRoutes(): readonly Route[] {
  return [
    get("/slow", `Responds after ${slowMs} ms, or after ?ms=, which may be up to ${maxSlowMs}`, answerSlowly),
    get("/flaky", `Fails for 5 % of requests: exactly every ${flakyEvery}th one gets a 503`, flaky()),
    get("/stream", `${streamChunks} chunks, ${streamPauseMs} ms apart, without a content-length`, () => ({
      status: 200,
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: streamLines,
    })),
    get("/old", "Redirects to /new (302)", () => redirect("/new")),
    get("/new", "The target of /old", () => arrived),
  ];
}

const arrived = compressed(html(layout("New", "    <h1>New</h1>\n    <p>/old redirects here.</p>")));
const slow = html(layout("Slow", "    <h1>Slow</h1>\n    <p>Good things take their time.</p>"));
const fine = html(layout("Flaky", "    <h1>Flaky</h1>\n    <p>This time it worked.</p>"));

async function answerSlowly({
  query,
  signal,
}: {
  query: URLSearchParams;
  signal: AbortSignal;
}): Promise<Reply> {
  const requestedMs = Number(query.get("ms") ?? slowMs);
  if (!(requestedMs >= 0 && requestedMs <= maxSlowMs))
    return text(`ms must be from 0 to ${maxSlowMs}\n`, 400);
  await delay(requestedMs, undefined, { signal });
  return slow;
}

function flaky(): () => Reply {
  let requests = 0;
  return () => {
    requests += 1;
    return requests % flakyEvery === 0 ? text("Not this time.\n", 503, { "retry-after": "1" }) : fine;
  };
}

async function* streamLines(signal: AbortSignal): AsyncGenerator<string> {
  for (let chunk = 1; chunk <= streamChunks; chunk += 1) {
    if (chunk > 1) await delay(streamPauseMs, undefined, { signal });
    yield `chunk ${chunk} of ${streamChunks}\n`;
  }
}
