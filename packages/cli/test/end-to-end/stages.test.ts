import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { readResult, runForResult, startBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

function staged(baseUrl: string, stages: string, exec = "", rest = ""): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${baseUrl}",
  ${stages}
  scenarios: {
    s: {
      executor: "constant-vus", vus: 2, duration: "60s", gracefulStop: "1s",
      exec: async ({ http, sleep, abort, iteration }) => { await http.get("/"); await sleep("20ms"); ${exec} },
    },
  },
  ${rest}
});`);
}

const teardown = `teardown: async ({ http }) => { await http.get("/teardown"); },`;

describe("a stage that never ends", () => {
  test.each([
    ["waits for ever", `await new Promise(() => undefined);`, ""],
    ["loops for ever", `for (;;) {}`, ""],
    [
      "waits for an answer that does not come",
      `await http.get("/never");`,
      "; before that, GET /never got no response",
    ],
  ])("setup %s: its time-out ends it and is named; nothing else runs", async (_, statement, before) => {
    const server = await startServer((request, response) => {
      if (request.url !== "/never") response.end();
    });
    const stages = `setup: async ({ http }) => { await http.get("/setup"); ${statement} }, setupTimeout: "3s", ${teardown}`;
    const beganMs = performance.now();
    const { exitCode, result } = await runForResult(["run", staged(server.url, stages)]);
    expect(performance.now() - beganMs).toBeLessThan(20_000);
    expect(exitCode).toBe(107);
    expect(result.messages).toEqual([
      `setup failed: it was still running after 3000 ms; see setupTimeout${before}`,
    ]);
    expect(server.counts.get("GET /")).toBeUndefined();
    expect(result.accounting.setup.requests).toContainEqual(
      expect.objectContaining({ name: "GET /setup", started: 1, succeeded: 1 }),
    );
    for (const { started, succeeded, failed, interrupted, lost } of result.accounting.setup.requests)
      expect(started).toBe(succeeded + failed + interrupted + lost);
  });

  test("teardown: its time-out ends it and is named, and the results of the load are kept", async () => {
    const server = await startServer();
    const stages = `teardown: async ({ http }) => { await http.get("/teardown"); for (;;) {} }, teardownTimeout: "1s",`;
    const file = staged(server.url, stages, `if (iteration.index > 20) abort("enough");`);
    const { exitCode, result } = await runForResult(["run", file]);
    expect(exitCode).toBe(107);
    expect(result.messages).toEqual([
      "teardown failed: it was still running after 1000 ms; see teardownTimeout",
      expect.stringMatching(/^aborted by the test: enough at .*your-test\.ts:\d+:\d+$/),
    ]);
    expect(result.accounting.iterations.completed).toBeGreaterThan(10);
    expectBalanced(result);
  });
});

describe("teardown runs", () => {
  test("after abort()", async () => {
    const server = await startServer();
    const file = staged(server.url, teardown, `if (iteration.index > 20) abort("enough");`);
    const { exitCode, result } = await runForResult(["run", file, "--workers", "2"]);
    expect(exitCode).toBe(108);
    expect(server.counts.get("GET /teardown")).toBe(1);
    expect(result.accounting.teardown.requests).toMatchObject([{ succeeded: 1 }]);
    expectBalanced(result);
  });

  test("after a threshold that ended the run", async () => {
    const server = await startServer();
    const thresholds = `thresholds: { http_reqs: [{ threshold: "count<5", abortOnFail: true }] },`;
    const { exitCode, result } = await runForResult(["run", staged(server.url, teardown, "", thresholds)]);
    expect(exitCode).toBe(99);
    expect(server.counts.get("GET /teardown")).toBe(1);
    expect(result.durationMs).toBeLessThan(20_000);
    expectBalanced(result);
  });

  test("after a worker was lost", async () => {
    const server = await startServer();
    const file = staged(server.url, teardown, `if (iteration.index === 20) process.exit(3);`);
    const { exitCode, result } = await runForResult(["run", file, "--workers", "1"]);
    expect(exitCode).toBe(109);
    expect(server.counts.get("GET /teardown")).toBe(1);
    expectBalanced(result);
  });

  test("after SIGINT, with its own time-out still in force", async () => {
    const server = await startServer();
    const stages = `teardown: async ({ http }) => { await http.get("/teardown"); await new Promise(() => undefined); }, teardownTimeout: "1s",`;
    const path = `${temporaryFolder()}/result.json`;
    const run = startBearhug(["run", staged(server.url, stages), "--out", `json=${path}`]);
    while (server.total() < 20) await delay(20);
    run.child.kill("SIGINT");
    const ended = await run;
    expect(ended.exitCode).toBe(107);
    expect(server.counts.get("GET /teardown")).toBe(1);
    const { messages } = readResult(path, ended);
    expect(messages).toContain("teardown failed: it was still running after 1000 ms; see teardownTimeout");
    expect(messages.join()).toContain("interrupted by SIGINT");
  });
});

test("a setup that throws names its failed requests, and no successful ones that were odd", async () => {
  const server = await startServer(({ url }, response) => {
    if (url === "/orders") response.writeHead(301, { location: "/orders/" });
    if (url === "/refused") response.writeHead(401);
    response.end();
  });
  const stages = `setup: async ({ http }) => { await http.post("/orders", { json: {} }); await http.get("/refused"); throw new Error("no"); },`;
  const { exitCode, result } = await runForResult(["run", staged(server.url, stages), "--duration", "200ms"]);
  expect(exitCode).toBe(107);
  expect(result.messages.join()).toContain("GET /refused failed: HTTP_401");
  expect(result.messages.join()).not.toContain("/orders");
});

const mute = `const fail = () => { throw new Error("gotcha"); };
const traps = Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((name) => [name, fail]));
const mute = () => new Proxy(new Error("never read"), traps);`;

describe("a thrown value that cannot be read", () => {
  test.each([
    { where: "in setup", stages: "setup: () => { throw mute(); },", rest: "", says: "setup failed" },
    {
      where: "in a rejection during setup",
      stages:
        "setup: async ({ signal }) => { void Promise.reject(mute()); await new Promise(() => signal); },",
      rest: "",
      says: "setup failed",
    },
    {
      where: "while the return value of setup is read",
      stages: "setup: () => ({ get then() { throw mute(); } }),",
      rest: "",
      says: "setup failed",
    },
    { where: "in teardown", stages: "teardown: () => { throw mute(); },", rest: "", says: "teardown failed" },
    {
      where: "while the test is read",
      stages: "",
      rest: "get thresholds() { throw mute(); },",
      says: "loaded",
    },
  ])("$where: exit 107, and a summary", async ({ stages, rest, says }) => {
    const server = await startServer();
    const file = staged(server.url, stages, "", rest);
    writeFileSync(file, `${mute}\n${readFileSync(file, "utf8")}`);
    const { exitCode, stdout, result } = await runForResult(["run", file, "--duration", "200ms"]);
    expect(exitCode).toBe(107);
    expect(result.messages.join()).toContain(says);
    expect(stdout).toContain("errored");
  });
});

describe("vuState", () => {
  test("runs once for each user of an open model that has an arrival, on all shards, and failed requests are noted", async () => {
    const server = await startServer((request, response) => {
      response.writeHead(request.url === "/refused" ? 401 : 200).end();
    });
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  vuState: async ({ http, vu }) => { await http.post("/login"); await http.get("/refused"); return { id: vu.id }; },
  scenarios: {
    s: {
      executor: "constant-arrival-rate", rate: 40, duration: "500ms", maxVUs: 6,
      exec: async ({ http, vu }) => { if (vu.state.id !== vu.id) throw new Error("another's state"); await http.get("/"); },
    },
  },
});`);
    const folder = temporaryFolder();
    const shards = [1, 2].map(async (shard) => {
      const path = `${folder}/${shard}.json`;
      const flags = ["--shard", `${shard}/2`, "--workers", "2", "--seed", "7", "--out", `json=${path}`];
      return readResult(path, await startBearhug(["run", file, ...flags], folder));
    });
    const results = await Promise.all(shards);
    const users = server.counts.get("POST /login") ?? 0;
    expect(users).toBeGreaterThanOrEqual(2);
    expect(users).toBeLessThanOrEqual(6);
    let counted = 0;
    for (const result of results) {
      expectBalanced(result);
      const logins = result.accounting.vuState?.requests.find(({ name }) => name === "POST /login");
      counted += logins?.succeeded ?? 0;
      expect(result.notes.join()).toContain(
        `${logins?.started} of ${2 * (logins?.started ?? 0)} requests of vuState failed`,
      );
      expect(result.accounting.requests.map(({ name }) => name)).toEqual(["GET /"]);
      expect(result.errors).toEqual([]);
    }
    expect(counted).toBe(users);
  });

  test("warns once of lost cookies, however many workers there are", async () => {
    const server = await startServer((_, response) => {
      response.setHeader("set-cookie", "sid=1").end();
    });
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  vuState: async ({ http }) => { await http.post("/login"); },
  scenarios: {
    s: { executor: "per-vu-iterations", vus: 4, iterations: 1, exec: async ({ http }) => { await http.get("/"); } },
  },
});`);
    const { stderr } = await runForResult(["run", file, "--workers", "2"]);
    expect(server.counts.get("POST /login")).toBe(4);
    expect(stderr.split("vuState received cookies")).toHaveLength(2);
  });
});

test.each([[""], [teardown]])(
  "a server that setup starts lives until the load is over, with teardown: %j",
  async (teardownCode) => {
    const file = writeTest(`import { once } from "node:events";
import { createServer } from "node:http";
import { defineTest } from "@bearhug/sdk";
export default defineTest({
  allowHosts: ["127.0.0.1"],
  setup: async () => {
    const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
    await once(server, "listening");
    return { url: "http://127.0.0.1:" + server.address().port };
  },
  scenarios: {
    s: {
      executor: "constant-vus", vus: 1, duration: "2s",
      exec: async ({ http, data, sleep }) => { await http.get(data.url); await sleep("50ms"); },
    },
  },
  ${teardownCode.replace('"/teardown"', "data.url").replace("{ http }", "{ http, data }")}
});`);
    const { exitCode, result, stderr } = await runForResult(["run", file]);
    expect(exitCode, stderr).toBe(0);
    expect(result.metrics["http_req_failed"]).toMatchObject({ values: { rate: 0 } });
    expectBalanced(result);
  },
);
