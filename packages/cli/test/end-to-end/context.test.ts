import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { relative } from "node:path";

import { expect, test } from "vitest";

import { runForResult, runBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

test("variables come from the command line, a file and defaults; missing ones are listed before anything starts", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  env: { FROM_FLAG: {}, FROM_FILE: {}, WITH_DEFAULT: { default: "d" }, API_TOKEN: { description: "from the vault" } },
  scenarios: {
    s: {
      executor: "shared-iterations", vus: 1, iterations: 1,
      exec: ({ http, env }) => http.get("/" + env.FROM_FLAG + env.FROM_FILE + env.WITH_DEFAULT),
    },
  },
});`);
  const envFile = `${temporaryFolder()}/.env`;
  writeFileSync(envFile, "FROM_FILE=f\nFROM_FLAG=overruled\n");
  const missing = await runBearhug(["run", file]);
  expect(missing.exitCode).toBe(104);
  for (const name of ["FROM_FLAG", "FROM_FILE", "API_TOKEN (from the vault)"])
    expect(missing.stderr).toContain(name);
  expect(missing.stderr).not.toContain("WITH_DEFAULT");
  expect(server.total()).toBe(0);
  const options = ["--env", "FROM_FLAG=x", "--env-from", envFile, "--env", "API_TOKEN=hidden-value"];
  const { exitCode } = await runForResult(["run", file, ...options]);
  expect(exitCode).toBe(0);
  expect([...server.counts.keys()]).toEqual(["GET /xfd"]);
});

test("a secret is masked in logs, errors and the result", async () => {
  const server = await startServer();
  const secret = "s3cr3t/with+signs";
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  env: { API_TOKEN: {} },
  scenarios: {
    s: {
      executor: "shared-iterations", vus: 1, iterations: 1,
      exec: async ({ http, env, log, check }) => {
        log("token " + env.API_TOKEN);
        console.log("console " + env.API_TOKEN);
        const response = await http.get("/users?token=" + encodeURIComponent(env.API_TOKEN), { name: "with " + env.API_TOKEN });
        check(response, { [env.API_TOKEN]: () => true });
        throw new Error("failed with " + env.API_TOKEN);
      },
    },
  },
});`);
  const path = `${temporaryFolder()}/result.json`;
  const ended = await runBearhug(["run", file, "--env", `API_TOKEN=${secret}`, "--out", `json=${path}`]);
  const output = ended.stdout + ended.stderr + readFileSync(path, "utf8");
  expect(ended.stderr).toContain("token ***");
  expect(ended.stderr).toContain("console ***");
  for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
    expect(output).not.toContain(form);
  }
});

test("setup runs once, apart from the load; its data is frozen, and teardown sees it", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  setup: async ({ http }) => ({ users: [{ name: (await http.get("/setup")).text().trim() }] }),
  teardown: async ({ http, data }) => { await http.get("/teardown/" + data.users[0]?.name); },
  scenarios: {
    s: {
      executor: "shared-iterations", vus: 2, iterations: 4,
      exec: async ({ http, data, check }) => {
        let isFrozen = false;
        try { (data.users[0] as { name: string }).name = "changed"; } catch { isFrozen = true; }
        check(data, { "is frozen": () => isFrozen, "is whole": (d) => d.users[0]?.name === "hello" });
        await http.get("/load");
      },
    },
  },
  thresholds: { checks: ["rate==1"], http_reqs: ["count==4"] },
});`);
  const { exitCode, result, stdout } = await runForResult(["run", file, "--workers", "2"]);
  expect(exitCode, stdout).toBe(0);
  expect(Object.fromEntries(server.counts)).toEqual({
    "GET /setup": 1,
    "GET /load": 4,
    "GET /teardown/hello": 1,
  });
  expect(result.accounting.setup.requests).toMatchObject([{ name: "GET /setup", sent: 1 }]);
  expect(result.accounting.teardown.requests).toMatchObject([{ name: "GET /teardown/hello", sent: 1 }]);
  expect(result.accounting.requests).toMatchObject([{ name: "GET /load", sent: 4 }]);
});

test("setup's data must be plain: a function in it is a clear error", async () => {
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "http://127.0.0.1:1",
  setup: () => ({ users: [{ pick: () => 1 }] }),
  scenarios: { s: { executor: "shared-iterations", exec: () => 1 } },
});`);
  const { exitCode, stdout } = await runBearhug(["run", file]);
  expect(exitCode).toBe(107);
  expect(stdout.replace(/\s+/g, " ")).toContain(
    "setup returned a value that cannot be copied to the workers: data.users[0].pick is a function. Return plain data.",
  );
});

test("the same seed gives each virtual user the same random numbers, whatever the workers", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    s: {
      executor: "constant-vus", vus: 6, duration: "300ms",
      exec: async ({ http, random, vu, iteration, sleep }) => {
        const number = random.integer(1, 1_000_000);
        if (iteration.indexInVu === 0) await http.get("/" + vu.id + "-" + number, { name: "number" });
        await sleep("100ms");
      },
    },
  },
});`);
  await runForResult(["run", file, "--seed", "7", "--workers", "1"]);
  const first = [...server.counts.keys()].toSorted();
  expect(first).toHaveLength(6);
  const { result } = await runForResult(["run", file, "--seed", "7", "--workers", "3"]);
  expect(result.seed).toBe(7);
  expect([...server.counts.keys()].toSorted()).toEqual(first);
  await runForResult(["run", file, "--seed", "8"]);
  expect(server.counts.size).toBe(12);
});

test("only hosts that the test names are contacted, redirects included", async () => {
  const other = await startServer();
  const server = await startServer((request, response) => {
    if (request.url === "/") response.writeHead(302, { location: `${other.url}/stolen` });
    response.end();
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    s: {
      executor: "shared-iterations", vus: 1, iterations: 1,
      exec: async ({ http, check }) => {
        await http.get("/fine");
        check(await http.get("/"), { "refused": (r) => r.status === 302 && r.error?.code === "HOST_NOT_ALLOWED" });
        await http.get("${other.url}/direct");
      },
    },
  },
  thresholds: { checks: ["rate==1"] },
});`);
  const { exitCode, result } = await runForResult(["run", file]);
  expect(exitCode).toBe(99);
  expect(result.messages).toMatchObject([expect.stringContaining("the only iteration of s failed")]);
  expect(other.total()).toBe(0);
  expect(result.accounting.iterations.failed).toBe(1);
  expect(result.accounting.requests.map(({ name, failed }) => [name, failed])).toEqual([
    ["GET /fine", 0],
    ["GET /", 1],
  ]);
  expect(result.errors.map(({ code }) => code).toSorted()).toEqual(["HOST_NOT_ALLOWED", "TEST_THREW"]);
  expect(result.errors.map(({ message }) => message).join()).toContain("allowHosts");
});

test("--target replaces all hosts of the site, in addresses and in redirects", async () => {
  const server = await startServer((request, response) => {
    if (request.url === "/old") response.writeHead(301, { location: "https://shop.invalid/new" }).end();
    else response.end();
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "https://shop.invalid",
  siteHosts: ["cdn.invalid"],
  scenarios: {
    visit: {
      executor: "shared-iterations",
      exec: async ({ http, check }) => {
        const answers = await http.batch(["/", "https://cdn.invalid/app.js", "https://shop.invalid/old"]);
        check(answers, { "all are answered": (all) => all.every(({ status }) => status === 200) });
      },
    },
  },
  thresholds: { checks: ["rate==1"] },
});`);
  const { exitCode, stdout } = await runBearhug(["run", file, "--target", server.url]);
  expect(exitCode, stdout).toBe(0);
  expect([...server.counts.keys()].toSorted()).toEqual(["GET /", "GET /app.js", "GET /new", "GET /old"]);
});

test("without --target the site's further hosts are contacted as written", async () => {
  const [server, further] = [await startServer(), await startServer()];
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  siteHosts: ["${new URL(further.url).host}"],
  scenarios: {
    visit: { executor: "shared-iterations", exec: ({ http }) => http.batch(["/", "${further.url}/app.js"]) },
  },
});`);
  const { exitCode, stdout } = await runBearhug(["run", file]);
  expect(exitCode, stdout).toBe(0);
  expect([[...server.counts.keys()], [...further.counts.keys()]]).toEqual([["GET /"], ["GET /app.js"]]);
});

test("the short options need --scenario if there are several, and then run only that scenario", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    a: { executor: "constant-vus", vus: 1, duration: "60s", exec: ({ http }) => http.get("/a") },
    b: { executor: "constant-vus", vus: 1, duration: "60s", exec: ({ http }) => http.get("/b") },
  },
});`);
  const refused = await runBearhug(["run", file, "--iterations", "3"]);
  expect(refused.exitCode).toBe(104);
  expect(refused.stderr).toContain("--scenario a");
  const { exitCode } = await runForResult([
    "run",
    file,
    "--scenario",
    "b",
    "--iterations",
    "3",
    "--vus",
    "2",
  ]);
  expect(exitCode).toBe(0);
  expect(Object.fromEntries(server.counts)).toEqual({ "GET /b": 3 });
});

test("--workers 0 runs the same test in the process's own thread", async () => {
  const server = await startServer();
  const { exitCode, result } = await runForResult([
    `${server.url}/`,
    "-n",
    "50",
    "-c",
    "5",
    "--workers",
    "0",
  ]);
  expect(exitCode).toBe(0);
  expect(server.total()).toBe(50);
  expect(result.accounting.iterations.completed).toBe(50);
});

test("a CommonJS test with an odd name runs, and its lines are found", async () => {
  const file = writeTest(
    `const { defineTest } = require("@bearhug/sdk");
module.exports = defineTest({
  baseUrl: "http://127.0.0.1:1",
  scenarios: { s: { executor: "shared-iterations", exec: () => { throw new Error("here"); } } },
});`,
    "prüfung a%20b.cjs",
  );
  const { exitCode, result } = await runForResult(["run", file]);
  expect(exitCode).toBe(99);
  const source = { file: relative(tmpdir(), file), line: 4 };
  expect(result.errors).toMatchObject([{ code: "TEST_THREW", source }]);
});
