import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, test } from "vitest";

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

/** Runs the long test, and calls `send` when the server has seen some load. */
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
  "%s ends a run gracefully: teardown runs, the partial result is left, exit 105",
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

test("a second SIGINT ends a run at once, and there is still a report", async () => {
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

/** Writes a test that sends requests for a second; its teardown waits until the server answers it. */
function teardownTest(baseUrl: string): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${baseUrl}",
  teardown: async ({ http }) => { await http.get("/teardown"); },
  scenarios: { visits: { executor: "constant-vus", vus: 2, duration: "1s",
    exec: async ({ http, sleep }) => { await http.get("/"); await sleep("50ms"); } } },
  thresholds: { http_reqs: ["count>5"] },
});`);
}

async function interruptedInTeardown(signals: number, answersTeardown: boolean): Promise<Reported> {
  let reached: () => void = () => undefined;
  const inTeardown = new Promise<void>((resolve) => (reached = resolve));
  let answer: () => void = () => undefined;
  const server = await startServer((request, response) => {
    if (request.url !== "/teardown") {
      response.end("hello");
      return;
    }
    answer = () => response.end();
    reached();
  });
  const path = `${temporaryFolder()}/result.json`;
  const run = startBearhug(["run", teardownTest(server.url), "--out", `json=${path}`]);
  let stderr = "";
  run.child.stderr.on("data", (text: string) => (stderr += text));
  await inTeardown;
  for (let sent = 1; sent <= signals; sent++) {
    run.child.kill("SIGINT");
    await expect.poll(() => stderr).toContain(sent === 1 ? "finishing teardown" : "stopping now");
  }
  if (answersTeardown) answer();
  const ended = await run;
  return { ...ended, result: readResult(path, ended) };
}

describe("in teardown, when the load is over", () => {
  test("one SIGINT lets it finish, and the load is judged", async () => {
    const { exitCode, stderr, result } = await interruptedInTeardown(1, true);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      "SIGINT: the load has ended, finishing teardown; press Ctrl+C again to stop now",
    );
    expect(stderr).not.toContain("gracefully");
    expect(result.notes).toEqual(["SIGINT arrived after the load had ended; teardown ran to completion"]);
    expect(result.thresholds).toMatchObject([{ passed: true }]);
    expect(result.accounting.teardown.requests).toMatchObject([{ succeeded: 1 }]);
  });

  test("a second SIGINT cuts it off: exit 105, and the result says so", async () => {
    const { exitCode, stdout, result } = await interruptedInTeardown(2, false);
    expect(exitCode).toBe(105);
    expect(result).toMatchObject({ verdict: "interrupted", exitCode: 105, thresholds: [{ passed: true }] });
    const message = "interrupted by SIGINT in teardown, after the load ended; teardown was cut off";
    expect(result.messages).toEqual([message]);
    expect(stdout).toContain(message);
    expect(result.accounting.teardown.requests).toMatchObject([{ started: 1, succeeded: 0 }]);
  });
});

test("a load that was interrupted, and a teardown that was cut off, are both reported", async () => {
  const server = await startServer((request, response) => {
    if (request.url !== "/teardown") response.end("hello");
  });
  const { exitCode, result } = await interrupted(server, async (kill) => {
    kill("SIGINT");
    await expect.poll(() => server.counts.get("GET /teardown"), { timeout: 10_000 }).toBe(1);
    kill("SIGTERM");
  });
  expect(exitCode).toBe(105);
  expect(result.messages).toEqual([
    "interrupted by SIGINT; thresholds were not evaluated",
    "a second signal arrived; teardown was cut off",
  ]);
  expect(result.thresholds).toMatchObject([{ passed: null }]);
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
