import { readRunOptions } from "@bearhug/plan/test-file/run-options";
import type { TestResult } from "@bearhug/sdk";
import { expect, onTestFinished, test } from "vitest";

import { Interruptions } from "../../src/run/interruptions.ts";
import type { LeadLink } from "../../src/run/run-request.ts";
import { ThreadPool } from "../../src/run/thread-pool.ts";
import { executeRun } from "../../src/run/conduct-run.ts";
import { loadModule, type LoadedTest } from "../../src/run/load-test.ts";
import { writeTest } from "../../../cli/test/end-to-end/run-bearhug.ts";
import { startServer, type TestServer } from "../../../cli/test/end-to-end/test-server.ts";

/** Leads two machines: forwards setup's data, and waits until both loads are over. */
class Leader {
  readonly #data = Promise.withResolvers<string>();
  readonly #areOver = Promise.withResolvers<undefined>();
  #loadsRunning = 2;

  lead(): LeadLink {
    return {
      awaitStart: () => Promise.resolve(performance.now()),
      sendSetupData: this.#data.resolve,
      awaitSetupData: () => this.#data.promise,
      awaitLoadsOver: async () => {
        this.#loadsRunning--;
        if (this.#loadsRunning === 0) this.#areOver.resolve(undefined);
        await this.#areOver.promise;
      },
    };
  }
}

async function load(definition: string): Promise<LoadedTest> {
  const file = writeTest(`import { once } from "node:events";
import { createServer } from "node:http";
import { defineTest } from "@bearhug/sdk";
export default defineTest({ ${definition} });`);
  const loaded = await loadModule(file);
  onTestFinished(() => {
    loaded.remove();
  });
  return loaded;
}

async function runShard(
  loaded: LoadedTest,
  index: number,
  lead: LeadLink,
  onWarning: (text: string) => void = () => undefined,
): Promise<TestResult> {
  const threads = new ThreadPool([]);
  onTestFinished(() => threads.close());
  const options = readRunOptions({ seed: "1", workers: "1" }, []);
  return executeRun({
    loaded,
    options: {
      ...options,
      sharding: { shard: { index, count: 2 }, startAtMs: null, setup: "lead", allowsPartial: false },
    },
    launch: threads.launch,
    interruptions: new Interruptions(),
    observer: { onLog: () => undefined, onWarning },
    recorder: null,
    lead,
  });
}

/** Machine 0 has the first user, machine 1 the second. */
function twoUsers(exec: string): string {
  return `scenarios: { visits: { executor: "per-vu-iterations", vus: 2, iterations: 1, exec: ${exec} } },`;
}

/** Starts a server that delays responses to the second VU, and records requests and responses in `events`. */
async function startSlowServer(events: string[]): Promise<TestServer> {
  return startServer(({ method = "", url = "" }, response) => {
    events.push(`${method} ${url}`);
    setTimeout(
      () => {
        events.push(`answered ${url}`);
        response.end("hello\n");
      },
      url.endsWith("/2") ? 300 : 0,
    );
  });
}

test("setup's data reaches all machines of a run, and teardown waits for the last of them", async () => {
  const events: string[] = [];
  const server = await startSlowServer(events);
  const loaded = await load(`
    baseUrl: "${server.url}",
    setup: async ({ http }) => { await http.post("/setup"); return { token: "t1" }; },
    ${twoUsers('({ http, vu, data }) => http.get("/visit/" + data.token + "/" + vu.id)')}
    teardown: async ({ http, data }) => { await http.delete("/teardown/" + data.token); },`);
  const leader = new Leader();
  const results = await Promise.all([runShard(loaded, 1, leader.lead()), runShard(loaded, 0, leader.lead())]);
  expect(results.map(({ messages }) => messages)).toEqual([[], []]);
  const requests = events.filter((event) => !event.startsWith("answered"));
  expect(requests.toSorted()).toEqual([
    "DELETE /teardown/t1",
    "GET /visit/t1/1",
    "GET /visit/t1/2",
    "POST /setup",
  ]);
  expect(events.indexOf("DELETE /teardown/t1")).toBeGreaterThan(events.indexOf("answered /visit/t1/2"));
});

test("a machine does not warn of abortOnFail, because another one judges the samples of all", async () => {
  const server = await startServer();
  const loaded = await load(`
    baseUrl: "${server.url}",
    ${twoUsers('({ http }) => http.get("/")')}
    thresholds: { http_req_failed: [{ threshold: "rate<1%", abortOnFail: true }] },`);
  const leader = new Leader();
  const warnings: string[] = [];
  const runs = [0, 1].map((index) =>
    runShard(loaded, index, leader.lead(), (text) => {
      warnings.push(text);
    }),
  );
  await Promise.all(runs);
  expect(warnings.filter((text) => text.includes("abortOnFail"))).toEqual([]);
});

test.each([[""], ["summary: () => ({}),"]])(
  "a server that setup starts answers until the last machine's load is over, with a summary: %j",
  async (summary) => {
    const loaded = await load(`
      allowHosts: ["127.0.0.1"],
      setup: async () => {
        const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
        await once(server, "listening");
        return { url: "http://127.0.0.1:" + server.address().port };
      },
      ${twoUsers(`async ({ http, sleep, vu, data }) => {
        await http.get(data.url);
        if (vu.id === 2) for (let left = 10; left > 0; left--) { await sleep("200ms"); await http.get(data.url); }
      }`)}
      ${summary}`);
    const leader = new Leader();
    const results = await Promise.all([
      runShard(loaded, 0, leader.lead()),
      runShard(loaded, 1, leader.lead()),
    ]);
    expect(results.map(({ accounting }) => accounting.requests)).toMatchObject([
      [{ started: 1, succeeded: 1 }],
      [{ started: 11, succeeded: 11 }],
    ]);
  },
);

test("a machine without a teardown ends before the others if setup left nothing running", async () => {
  const held = Promise.withResolvers<undefined>();
  const server = await startServer(({ url = "" }, response) => {
    void (url === "/2" ? held.promise : Promise.resolve()).then(() => response.end());
  });
  const loaded = await load(`
    baseUrl: "${server.url}",
    setup: async ({ http }) => { await http.get("/setup"); },
    ${twoUsers('({ http, vu }) => http.get("/" + vu.id)')}`);
  const leader = new Leader();
  const other = runShard(loaded, 1, leader.lead());
  const first = await runShard(loaded, 0, leader.lead());
  held.resolve(undefined);
  for (const { accounting } of [first, await other])
    expect(accounting.iterations).toMatchObject({ started: 1, completed: 1 });
});
