import { expect, test } from "vitest";

import { startServer } from "../../cli/test/end-to-end/test-server.ts";
import { call, connect, folderOf } from "./connect.ts";

function shop(url: string): string {
  return `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  env: { WORD: { default: "none" } },
  scenarios: {
    visitors: {
      executor: "constant-vus", vus: 2, duration: "1s", gracefulStop: "1s",
      exec: async ({ http, check, env, log, sleep }) => {
        log(env.WORD);
        check(await http.get("/"), { "is 200": ({ status }) => status === 200 });
        await sleep("50ms");
      },
    },
  },
  thresholds: { http_req_failed: ["rate<1%"] },
});
`;
}

const bounds = { hosts: ["127.0.0.1"], vus: 10, seconds: 60 };

test("an agent learns the tools and the bounds before it runs anything", async () => {
  const client = await connect({ ...bounds, directory: folderOf({}) });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "validate",
    "try_test",
    "run_test",
    "read_result",
    "search_docs",
  ]);
  const stated = /only 127\.0\.0\.1\. A run has at most 10 virtual users and may plan at most 60 s/;
  expect(client.getInstructions()).toMatch(stated);
  expect(tools.find(({ name }) => name === "run_test")?.description).toMatch(stated);
});

test("validate describes what a run would do, or each problem with its place", async () => {
  const wrong = shop("http://127.0.0.1:1").replace("vus: 2", "vus: 0");
  const directory = folderOf({ "good.load.ts": shop("http://127.0.0.1:1"), "bad.load.ts": wrong });
  const client = await connect({ ...bounds, directory });
  const good = await call(client, "validate", { file: "good.load.ts" });
  expect(JSON.parse(good.text)).toMatchObject({ schema: "bearhug/check@1", tests: [{ vus: 2 }] });
  expect(good.isError).toBe(false);
  const bad = await call(client, "validate", { file: "bad.load.ts" });
  expect(JSON.parse(bad.text)).toMatchObject({ problems: [{ code: "INVALID_TEST", line: 7 }] });
  expect(bad.isError).toBe(true);
});

test("try_test returns every step", async () => {
  const { url, total } = await startServer();
  const client = await connect({ ...bounds, directory: folderOf({ "shop.load.ts": shop(url) }) });
  const { text, isError } = await call(client, "try_test", {
    file: "shop.load.ts",
    variables: { WORD: "hi" },
  });
  expect(isError, text).toBe(false);
  expect(JSON.parse(text)).toMatchObject({
    schema: "bearhug/try@1",
    counts: { requests: 1, checks: 1, failedChecks: 0 },
    steps: [
      { kind: "log", text: "hi" },
      { kind: "request", status: 200 },
      { kind: "check", passed: true },
    ],
  });
  expect(total()).toBe(1);
});

test("run_test applies the load, and read_result shows the result again", async () => {
  const { url, total } = await startServer();
  const client = await connect({ ...bounds, directory: folderOf({ "shop.load.ts": shop(url) }) });
  const ran = await call(client, "run_test", { file: "shop.load.ts", vus: 3, seconds: 0.5 });
  expect(ran.isError, ran.text).toBe(false);
  const [, path = ""] = /^exit code: 0\nresult: (.+\.json)\n/.exec(ran.text) ?? [];
  expect(ran.text).toContain("http_req_failed");
  expect(total()).toBeGreaterThan(5);
  const read = await call(client, "read_result", { path });
  expect(read.text.split("\n").slice(3, 8)).toEqual(ran.text.split("\n").slice(3, 8));
});

test("a failed verdict is no error of the tool; it has the exit code and the reasons", async () => {
  const { url } = await startServer((_request, response) => {
    response.writeHead(500).end();
  });
  const client = await connect({ ...bounds, directory: folderOf({ "shop.load.ts": shop(url) }) });
  const { text, isError } = await call(client, "run_test", { file: "shop.load.ts" });
  expect(isError).toBe(false);
  expect(text).toMatch(/^exit code: 99\n/);
  expect(text).toContain("HTTP_500");
});

test("a run ends when the agent cancels the call", async () => {
  const { url, total } = await startServer();
  const long = shop(url).replace('"1s", gr', '"30s", gr');
  const client = await connect({ ...bounds, directory: folderOf({ "shop.load.ts": long }) });
  const cancelled = new AbortController();
  const running = client.callTool(
    { name: "run_test", arguments: { file: "shop.load.ts" } },
    { signal: cancelled.signal },
  );
  await expect.poll(total, { timeout: 20_000 }).toBeGreaterThan(3);
  cancelled.abort();
  await expect(running).rejects.toThrow();
  // Another run may start once the cancelled one has ended.
  await expect
    .poll(async () => (await call(client, "run_test", { file: "none.load.ts" })).text, { timeout: 20_000 })
    .toBe("none.load.ts: there is no such file.");
  const end = total();
  await expect
    .poll(() => call(client, "run_test", { file: "shop.load.ts", seconds: 0.2 }), { timeout: 20_000 })
    .toMatchObject({ isError: false });
  // The whole load would be about 1,200 requests.
  expect(end).toBeLessThan(600);
});

test("search_docs finds sections of the documentation", async () => {
  const client = await connect({ ...bounds, directory: folderOf({}) });
  const { text } = await call(client, "search_docs", { query: "log in once and use the token", most: 2 });
  expect(text).toMatch(/^# How do I …\? › .*Log in once/m);
  const nothing = await call(client, "search_docs", { query: "zzzzqqqq" });
  expect(nothing.text).toBe("Nothing found. Try other words.");
});
