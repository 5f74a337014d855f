import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { onTestFinished } from "vitest";

export interface TestServer {
  readonly url: string;
  /** Requests per request line, such as `GET /`. */
  readonly counts: ReadonlyMap<string, number>;
  readonly total: () => number;
  /** Returns the number of connections accepted so far. */
  readonly connections: () => number;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Makes a loop of requests leave time to other processes. */
const usualWaitMs = 2;

const answerSoon: Answer = (_request, response) => {
  setTimeout(() => response.end("hello\n"), usualWaitMs);
};

/** Starts a server on loopback that counts requests and connections; it closes with the test. */
export async function startServer(answer: Answer = answerSoon): Promise<TestServer> {
  const counts = new Map<string, number>();
  let connections = 0;
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    const line = `${request.method ?? ""} ${request.url ?? ""}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
    answer(request, response);
  });
  server.on("connection", () => {
    connections++;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    total: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    connections: () => connections,
  };
}
