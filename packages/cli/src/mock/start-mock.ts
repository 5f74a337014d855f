import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Capture } from "@bearhug/har-import";
import { listen, type Listening, type ListenOptions } from "../local-server/listen.ts";
import { notInCapture } from "./answer.ts";
import { MockCounts, type MockStats } from "./mock-counts.ts";
import { recordAnswers } from "./recorded-answers.ts";
import { sendAnswer } from "./send-answer.ts";

export interface Mock extends Listening {
  /** What was asked for since it started. The same as `GET /__bearhug/stats`. */
  stats(): MockStats;
}

const statsPath = "/__bearhug/stats";
/** Longer than load tools leave a connection idle, so that it is never the mock that closes first. */
const keepAliveMs = 75_000;
/** Recorded queries and headers can be long; Node's own limit is 16 KiB. */
const maxHeaderBytes = 256 * 1024;

/** Starts a server that gives a capture's own answers; rejects with the system's error where it cannot listen. */
export async function startMock(
  capture: Capture,
  { port = 0, host = "127.0.0.1" }: Partial<ListenOptions> = {},
): Promise<Mock> {
  const answers = recordAnswers(capture);
  const counts = new MockCounts();
  const options = { keepAliveTimeout: keepAliveMs, maxHeaderSize: maxHeaderBytes };
  const server = createServer(options, (request, response) => {
    if (request.url === statsPath) {
      sendStats(response, counts.read());
      return;
    }
    const line = answers.find(request.method ?? "GET", request.url ?? "/");
    const answer = line.takeNext() ?? notInCapture;
    counts.add(line, answer);
    whenReceived(request, () => sendAnswer(request, response, answer));
  });
  return { ...(await listen(server, { port, host })), stats: () => counts.read() };
}

/** An answer before the end of an upload would make a client stop sending: wait for all of it, unread. */
function whenReceived(request: IncomingMessage, answer: () => void): void {
  const { headers } = request;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) answer();
  else request.once("end", answer).resume();
}

function sendStats(response: ServerResponse, stats: MockStats): void {
  response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(`${JSON.stringify(stats, null, 2)}\n`);
}
