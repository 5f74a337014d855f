import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

import { expect, test } from "vitest";

import { expectBalanced, sum } from "./expect-balanced.ts";
import { readResult, startBearhug, temporaryFolder, writeTest, type Reported } from "./run-bearhug.ts";
import { startServer, type TestServer } from "./test-server.ts";

function longTest(baseUrl: string): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${baseUrl}",
  teardown: async ({ http }) => { await http.get("/teardown"); },
  scenarios: {
    visits: {
      executor: "constant-vus", vus: 4, duration: "60s", gracefulStop: "5s",
      exec: async ({ http, sleep }) => { await http.get("/"); await sleep("300ms"); },
    },
  },
  thresholds: { http_reqs: ["count>1000000"] },
});`);
}

/** Starts the long test and resolves when the server has seen some load. */
async function interrupted(
  server: TestServer,
  send: (kill: (signal: NodeJS.Signals) => void) => Promise<void>,
): Promise<Reported> {
  const path = `${temporaryFolder()}/result.json`;
  const run = startBearhug(["run", longTest(server.url), "--workers", "2", "--out", `json=${path}`]);
  while (server.total() < 20) await delay(20);
  await send((signal) => run.child.kill(signal));
  const ended = await run;
  return { ...ended, result: readResult(path, ended) };
}

test.for(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends gracefully: teardown runs, the partial result is left, exit 105",
  async (signal) => {
    const server = await startServer();
    const { exitCode, result } = await interrupted(server, async (kill) => {
      kill(signal);
      await delay(0);
    });
    expect(exitCode).toBe(105);
    expect(result.verdict).toBe("interrupted");
    expect(result.messages.join()).toContain(signal);
    expect(result.thresholds).toMatchObject([{ passed: null }]);
    expect(result.accounting.iterations.interrupted).toBe(0);
    expect(server.counts.get("GET /teardown")).toBe(1);
    expect(result.accounting.teardown.requests).toMatchObject([{ name: "GET /teardown", succeeded: 1 }]);
    expect(sum(result, "sent")).toBe(server.total() - 1);
    expectBalanced(result);
  },
);

test("a second SIGINT ends at once, and there is still a report", async () => {
  const server = await startServer();
  const { exitCode, result } = await interrupted(server, async (kill) => {
    kill("SIGINT");
    await delay(50);
    kill("SIGINT");
  });
  expect(exitCode).toBe(105);
  expect(result.durationMs).toBeLessThan(30_000);
  expect(result.accounting.iterations.interrupted).toBeGreaterThan(0);
  expectBalanced(result);
});

test("SIGINT during setup ends the run before any load", async () => {
  const server = await startServer((_request, response) => void response.writeHead(200).write("for ever"));
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}", setup: async ({ http }) => { await http.get("/setup"); },
  scenarios: { visits: { executor: "constant-vus", vus: 1, duration: "60s", exec: ({ http }) => http.get("/") } },
});`);
  const run = startBearhug(["run", file]);
  while (server.total() < 1) await delay(20);
  run.child.kill("SIGINT");
  const { exitCode } = await run;
  expect(exitCode).toBe(105);
  expect([...server.counts.keys()]).toEqual(["GET /setup"]);
});

test("a reader that leaves early does not change the verdict", async () => {
  const server = await startServer();
  const run = startBearhug([`${server.url}/`, "-n", "20", "-c", "2"]);
  run.child.stdout.destroy();
  await once(run.child, "exit");
  expect(run.child.exitCode).toBe(0);
});
