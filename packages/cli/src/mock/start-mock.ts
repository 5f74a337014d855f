import { createServer, type ServerResponse } from "node:http";

import type { Capture } from "@bearhug/har-import";
import { listen, type Listening, type ListenOptions } from "@bearhug/report/local-server/listen";

import { CapturePlayer } from "./capture-player.ts";
import type { MockStats } from "./mock-counts.ts";
import { sendImmediately, sendAsRecorded } from "./reply.ts";

export interface Mock extends Listening {
  /** Returns the counts of requests since the start, as `GET /__bearhug/stats` does. */
  stats(): MockStats;
}

export interface MockOptions extends ListenOptions {
  /** True to delay responses as long as recorded. @default false */
  readonly latency: boolean;
  readonly observer: MockObserver;
}

/** Watches requests, except those for the mock's counts. `line`: method and target as received. */
export interface MockObserver {
  onRequest(line: string): void;
  /** Called when the whole response has been handed to the system. */
  onResponded(line: string): void;
}

const statsPath = "/__bearhug/stats";
/** Longer than load tools keep a connection idle, so that the mock never closes it first. */
const keepAliveMs = 75_000;
/** Recorded queries and headers can be long; Node's own limit is 16 KiB. */
const maxHeaderBytes = 256 * 1024;

/**
 * Starts a server that replays a capture's responses; rejects with the system's error if it cannot listen.
 */
export async function startMock(
  capture: Capture,
  { port = 0, host = "127.0.0.1", latency = false, observer }: Partial<MockOptions> = {},
): Promise<Mock> {
  const player = new CapturePlayer(capture, latency ? sendAsRecorded : sendImmediately);
  const options = { keepAliveTimeout: keepAliveMs, maxHeaderSize: maxHeaderBytes };
  const server = createServer(options, (request, response) => {
    if (request.url === statsPath) {
      sendStats(response, player.stats());
      return;
    }
    if (observer !== undefined) {
      const line = `${request.method ?? ""} ${request.url ?? ""}`;
      observer.onRequest(line);
      response.once("finish", () => observer.onResponded(line));
    }
    player.answer(request, response);
  });
  return { ...(await listen(server, { port, host })), stats: () => player.stats() };
}

function sendStats(response: ServerResponse, stats: MockStats): void {
  response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(`${JSON.stringify(stats, null, 2)}\n`);
}
