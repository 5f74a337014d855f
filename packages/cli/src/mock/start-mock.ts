import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Capture } from "@bearhug/har-import";
import { notInCapture } from "./answer.ts";
import { MockCounts, type MockStats } from "./mock-counts.ts";
import { recordAnswers } from "./recorded-answers.ts";
import { sendAnswer } from "./send-answer.ts";

export interface MockOptions {
  /** 0 takes any port that is free. @default 0 */
  readonly port?: number;
  /** @default "127.0.0.1" */
  readonly host?: string;
}

export interface Mock {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** What was asked for since it started. The same as `GET /__bearhug/stats`. */
  stats(): MockStats;
  /** Ends every connection at once, idle or not. */
  close(): Promise<void>;
}

const statsPath = "/__bearhug/stats";
/** Longer than load tools leave a connection idle, so that it is never the mock that closes first. */
const keepAliveMs = 75_000;
/** Recorded queries and headers can be long; Node's own limit is 16 KiB. */
const maxHeaderBytes = 256 * 1024;

/** Starts a server that gives a capture's own answers; rejects with the system's error where it cannot listen. */
export async function startMock(
  capture: Capture,
  { port = 0, host = "127.0.0.1" }: MockOptions = {},
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
  server.listen({ port, host, backlog: 4096 });
  await once(server, "listening");
  return { url: urlOf(server, host), stats: () => counts.read(), close: () => close(server) };
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

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
