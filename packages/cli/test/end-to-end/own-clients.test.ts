import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { runBearhug, runForResult, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Starts a server that echoes the cookie of the visitor, and sets a new one at `/login`. */
const startCookieServer = () => {
  let visitors = 0;
  return startServer((request, response) => {
    if (request.url === "/login") response.setHeader("set-cookie", `visitor=${++visitors}`);
    response.end(request.headers.cookie ?? "");
  });
};

/** Clients that a team may have, each as a function that gets the text at an address. */
const clients = [
  { by: "a client that takes a fetch", get: `async (url) => (await http.fetch(url)).text()` },
  {
    by: "a library that uses the global fetch",
    get: `async (url) => (await fetch(new Request(url))).text()`,
  },
  {
    by: "a client that takes a Dispatcher",
    get: `async (url) => (await request(url, { dispatcher: http.dispatcher })).body.text()`,
  },
  { by: "a package with an undici of its own", get: `async (url) => (await request(url)).body.text()` },
];

/** Writes a test into a folder in which undici is installed. */
function writeBesideUndici(text: string): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules"));
  const installed = fileURLToPath(new URL("../../node_modules/undici", import.meta.url));
  symlinkSync(installed, join(folder, "node_modules", "undici"));
  const file = join(folder, "with-undici.ts");
  writeFileSync(file, text);
  return file;
}

describe("a team's own client", () => {
  test.for(clients)("is counted exactly, in its group, with the cookies of its VU: $by", async ({ get }) => {
    const server = await startCookieServer();
    const file = writeBesideUndici(`import { defineTest } from "@bearhug/sdk";
import { request } from "undici";
const createClient = (http) => {
  const get = ${get};
  return (path) => get("${server.url}" + path);
};
export default defineTest({
  baseUrl: "${server.url}",
  setup: ({ http }) => createClient(http)("/setup"),
  teardown: async ({ http }) => void (await createClient(http)("/teardown")),
  scenarios: {
    buyers: {
      executor: "shared-iterations", vus: 4, iterations: 60,
      exec: async ({ http, page, group, check }) => {
        const client = createClient(http);
        await client("/login");
        const own = (await http.get("/who")).text();
        await page("shop", () => Promise.all([
          group("left", async () => check(await client("/left"), { "own cookie": (text) => text === own })),
          group("right", async () => check(await client("/right"), { "own cookie": (text) => text === own })),
        ]));
        void client("/last");
      },
    },
  },
});`);
    const { exitCode, result, stdout } = await runForResult(["run", file, "--workers", "2"]);
    expect(exitCode, stdout).toBe(0);
    expectBalanced(result);
    const paths = ["/login", "/who", "/left", "/right", "/last"];
    for (const path of paths) expect(server.counts.get(`GET ${path}`), path).toBe(60);
    for (const path of ["/setup", "/teardown"]) expect(server.counts.get(`GET ${path}`), path).toBe(1);
    expect(result.metrics["http_reqs"]?.values).toMatchObject({ count: 300 });
    expect(result.metrics["http_req_waiting"]?.values).toMatchObject({ count: 300 });
    expect(result.metrics["checks"]?.values).toMatchObject({ rate: 1 });
    const placed = result.series
      .filter(
        ({ metric, tags }) =>
          metric === "http_reqs" && tags["scenario"] === "buyers" && tags["group"] !== undefined,
      )
      .map(({ tags, values }) => [tags["name"], tags["page"], tags["group"], values["count"]]);
    expect(placed.toSorted()).toEqual([
      ["GET /left", "shop", "left", 60],
      ["GET /right", "shop", "right", 60],
    ]);
    expect(result.unmeasured).toEqual([]);
  });

  test("is measured with --workers 0 too", async () => {
    const server = await startCookieServer();
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: { s: { executor: "shared-iterations", vus: 2, iterations: 6, exec: async () => void (await fetch("/x")) } },
});`);
    const { exitCode, result, stdout } = await runForResult(["run", file, "--workers", "0"]);
    expect(exitCode, stdout).toBe(0);
    expectBalanced(result);
    expect(result.metrics["http_reqs"]?.values).toMatchObject({ count: 6 });
    expect(result.unmeasured).toEqual([]);
  });

  test("is refused outside of an iteration, where no virtual user could send its requests", async () => {
    const server = await startCookieServer();
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export const config = await (await fetch("${server.url}/config")).text();
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: { s: { executor: "shared-iterations", vus: 1, iterations: 1, exec: () => undefined } },
});`);
    const { exitCode, stdout, stderr } = await runBearhug(["run", file]);
    expect(exitCode).toBe(107);
    expect((stdout + stderr).replace(/\s+/g, " ")).toContain(
      "A request was sent outside of an iteration, setup and teardown",
    );
  });

  test("has its open streams interrupted at the end of the run, and nothing is lost", async () => {
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
