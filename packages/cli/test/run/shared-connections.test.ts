import { once } from "node:events";
import { createServer as createHttp1 } from "node:http";
import { createServer as createHttp2 } from "node:http2";
import type { AddressInfo, Server } from "node:net";

import { executeRun } from "@bearhug/engine/run/conduct-run";
import { Interruptions } from "@bearhug/engine/run/interruptions";
import { loadUrl } from "@bearhug/engine/run/load-test";
import { readRunOptions, type RunOptions, type WrittenOptions } from "@bearhug/plan/test-file/run-options";
import type { TestResult } from "@bearhug/sdk";
import { expect, onTestFinished, test } from "vitest";

import { launcherFor } from "../../src/run/launcher-for.ts";

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function run(
  url: string,
  written: WrittenOptions,
  limits: Pick<RunOptions, "vus" | "sharedConnections">,
): Promise<TestResult> {
  const loaded = loadUrl({ method: "GET", url, headers: [], body: null });
  return executeRun({
    loaded,
    options: { ...readRunOptions(written, []), ...limits },
    launch: await launcherFor(loaded, null),
    interruptions: new Interruptions(),
    observer: { onLog: () => undefined, onWarning: () => undefined },
    recorder: null,
  });
}

test("requests in flight are spread over the HTTP/2 connections of all workers, and stay within the limit", async () => {
  const streams = new Map<unknown, number>();
  const most = { ofConnection: 0, inTotal: 0 };
  const server = createHttp2();
  server.on("stream", (stream) => {
    const { session } = stream;
    streams.set(session, (streams.get(session) ?? 0) + 1);
    most.ofConnection = Math.max(most.ofConnection, streams.get(session) ?? 0);
    const inTotal = [...streams.values()].reduce((sum, count) => sum + count, 0);
    most.inTotal = Math.max(most.inTotal, inTotal);
    setTimeout(() => {
      streams.set(session, (streams.get(session) ?? 0) - 1);
      stream.respond();
      stream.end("hello\n");
    }, 20);
  });
  const url = await listen(server);
  const written = { iterations: "300", workers: "2", protocol: "h2c" };
  const result = await run(url, written, { vus: 50, sharedConnections: 5 });
  expect(result.accounting.iterations.completed).toBe(300);
  expect(streams.size).toBe(5);
  // Two workers with 25 requests each, one of them with 2 connections.
  expect(most.ofConnection).toBeLessThanOrEqual(13);
  expect(most.inTotal).toBeLessThanOrEqual(50);
  expect(most.inTotal).toBeGreaterThan(25);
});

test("requests wait for one of the HTTP/1.1 connections that they share", async () => {
  const sockets = new Set<unknown>();
  const url = await listen(
    createHttp1((request, response) => {
      sockets.add(request.socket);
      setTimeout(() => response.end("hello\n"), 5);
    }),
  );
  const result = await run(url, { iterations: "60", workers: "2" }, { vus: 12, sharedConnections: 3 });
  expect(result.accounting.iterations.completed).toBe(60);
  expect(sockets.size).toBe(3);
});

test("there are no more workers than connections to share out", async () => {
  const url = await listen(createHttp1((_request, response) => response.end("hello\n")));
  const result = await run(url, { iterations: "8", workers: "4" }, { vus: 8, sharedConnections: 1 });
  expect(result.plan.workers).toBe(1);
  expect(result.accounting.iterations.completed).toBe(8);
});

test("a request that is due while the limit of requests in flight is reached is dropped and counted", async () => {
  const url = await listen(
    createHttp1((_request, response) => {
      setTimeout(() => response.end("hello\n"), 100);
    }),
  );
  const written = { rate: "100", duration: "500ms", workers: "1" };
  const { accounting, verdict } = await run(url, written, { vus: 4, sharedConnections: 2 });
  expect(accounting.iterations.started + accounting.iterations.dropped).toBe(50);
  expect(accounting.iterations.dropped).toBeGreaterThan(25);
  expect(verdict).toBe("failed");
});
