import { describe, expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Answers with the cookie of who asks, and gives each newcomer one of its own. */
const startCookieServer = () => {
  let visitors = 0;
  return startServer((request, response) => {
    if (request.url === "/login") response.setHeader("set-cookie", `visitor=${++visitors}`);
    response.end(request.headers.cookie ?? "");
  });
};

describe("a client that takes a fetch", { timeout: 30_000 }, () => {
  test("is counted exactly, with phases, page and group, and the cookies of its own VU", async () => {
    const server = await startCookieServer();
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
const createClient = ({ baseUrl, fetch }) => ({
  get: async (path) => (await fetch(new URL(path, baseUrl), { headers: { accept: "text/plain" } })).text(),
});
export default defineTest({
  baseUrl: "${server.url}",
  setup: async ({ http }) => (await http.fetch("/setup")).status,
  teardown: async ({ http }) => void (await http.fetch("/teardown")),
  scenarios: {
    buyers: {
      executor: "shared-iterations", vus: 4, iterations: 60,
      exec: async ({ http, page, group, check, data, vu }) => {
        const client = createClient({ baseUrl: "${server.url}", fetch: http.fetch });
        await client.get("/login");
        const own = (await http.get("/who")).text();
        await page("shop", () => Promise.all([
          group("left", async () => check(await client.get("/left"), { "own cookie": (text) => text === own })),
          group("right", async () => check(await client.get("/right"), { "own cookie": (text) => text === own })),
        ]));
        check(data, { "setup was measured apart": (status) => status === 200 });
        void http.fetch("/last");
      },
    },
  },
});`);
    const { exitCode, result, stdout } = await runForResult(["run", file, "--workers", "2"]);
    expect(exitCode, stdout).toBe(0);
    expectBalanced(result);
    const paths = ["/login", "/who", "/left", "/right", "/last"];
    for (const path of paths) expect(server.counts.get(`GET ${path}`), path).toBe(60);
    expect(server.counts.get("GET /setup")).toBe(1);
    expect(server.counts.get("GET /teardown")).toBe(1);
    expect(result.metrics["http_reqs"]?.values).toMatchObject({ count: 300 });
    expect(result.metrics["http_req_waiting"]?.values).toMatchObject({ count: 300 });
    expect(result.metrics["checks"]?.values).toMatchObject({ rate: 1 });
    const placed = result.series
      .filter(
        ({ metric, tags }) =>
          metric === "http_reqs" && tags["group"] !== undefined && tags["scenario"] !== undefined,
      )
      .map(({ tags, values }) => [tags["name"], tags["group"], values["count"]]);
    expect(placed.toSorted()).toEqual([
      ["GET /left", "left", 60],
      ["GET /right", "right", 60],
    ]);
    expect(result.unmeasured).toEqual([]);
  });

  test("interrupts streams that still come at the end of the run, and nothing is lost", async () => {
    const server = await startServer((request, response) => {
      if (request.url === "/") {
        response.end();
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write("data: tick\n\n"), 20);
      response.on("close", () => {
        clearInterval(timer);
      });
    });
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  metrics: { events: { type: "counter" } },
  scenarios: {
    readers: {
      executor: "constant-vus", vus: 3, duration: "1s", gracefulStop: "200ms",
      exec: async ({ http, metrics }) => {
        await http.get("/");
        const { body } = await http.fetch("/events");
        for await (const piece of body) metrics.events.add(1);
      },
    },
  },
});`);
    const { exitCode, result, stdout } = await runForResult(["run", file, "--workers", "2"]);
    expect(exitCode, stdout).toBe(0);
    expectBalanced(result);
    const { events } = result.metrics;
    expect(events?.type === "counter" ? events.values.count : 0).toBeGreaterThan(3 * 10);
    const streams = result.accounting.requests.find(({ name }) => name === "GET /events");
    expect(streams).toMatchObject({ started: 3, interrupted: 3 });
    expect(result.errors).toEqual([]);
  });
});
