import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

import { freePort } from "../free-port.ts";
import { expectBalanced } from "./expect-balanced.ts";
import { runBearhug, runForResult, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

interface Parts {
  readonly imports?: string;
  readonly module?: string;
  readonly options?: string;
  readonly exec: string;
  readonly iterations?: number;
}

/** Returns a test whose iterations send one request with the engine, and then run `exec`. */
function source(
  baseUrl: string,
  { imports = "", module = "", options = "", exec, iterations = 1 }: Parts,
): string {
  return `import { defineTest } from "@bearhug/sdk";
${imports}
${module}
const events = (emitter, event) => new Promise((resolve, reject) => emitter.once("error", reject).once(event, resolve));
export default defineTest({
  baseUrl: "${baseUrl}",
  ${options}
  scenarios: {
    s: {
      executor: "shared-iterations", vus: 1, iterations: ${iterations},
      exec: async ({ http, log }) => {
        await http.get("/measured");
        ${exec}
      },
    },
  },
});`;
}

const run = (text: string, ...options: string[]) => runForResult(["run", writeTest(text), ...options]);
const hostOf = (url: string) => new URL(url).host;

/** Ways around the engine: what each imports, and how it opens one connection to an address. */
const ways = [
  {
    by: "fetch",
    imports: "",
    isRequest: true,
    go: (to: string) => `await fetch("${to}/x").then((r) => r.text());`,
  },
  {
    by: "node:http",
    imports: `import * as nodeHttp from "node:http";`,
    isRequest: true,
    go: (to: string) => `(await events(nodeHttp.get("${to}/x", { agent: false }), "response")).resume();`,
  },
  {
    by: "node:https",
    imports: `import * as nodeHttps from "node:https";`,
    isRequest: true,
    go: (to: string) => `await events(nodeHttps.get("${to.replace("http:", "https:")}/x"), "response");`,
  },
  {
    by: "a connected socket",
    imports: `import * as net from "node:net";`,
    isRequest: false,
    go: (to: string) =>
      `const socket = net.connect(${new URL(to).port}, "127.0.0.1"); await events(socket, "connect"); socket.destroy();`,
  },
  {
    by: "a socket of one's own",
    imports: `import { Socket } from "node:net";`,
    isRequest: false,
    go: (to: string) =>
      `const own = new Socket(); own.connect({ port: ${new URL(to).port}, host: "127.0.0.1" }); await events(own, "connect"); own.destroy();`,
  },
  {
    by: "TLS",
    imports: `import * as tls from "node:tls";`,
    isRequest: false,
    go: (to: string) =>
      `await events(tls.connect({ port: ${new URL(to).port}, host: "127.0.0.1" }), "secureConnect");`,
  },
  {
    by: "HTTP/2",
    imports: `import * as http2 from "node:http2";`,
    isRequest: false,
    go: (to: string) =>
      `const session = http2.connect("${to}"); await events(session, "remoteSettings"); session.destroy();`,
  },
];

/** Starts a server for each way. Returns also the body of an iteration that uses all ways. */
async function startWays() {
  const servers = await Promise.all(ways.map(() => startServer()));
  const imports = ways.map((way) => way.imports).join(" ");
  const exec = ways
    .map(
      ({ by, go }, index) =>
        `try { ${go(servers[index]?.url ?? "")} } catch (error) { log("${by}: " + (error.cause ?? error).code); }`,
    )
    .join("\n");
  return { servers, imports, exec };
}

describe("traffic of a test that bypasses the engine's http", () => {
  test("reaches a host that the test names, and is reported once, with its line and in the summary", async () => {
    const server = await startServer();
    const { imports, go } = ways.find(({ by }) => by === "node:http")!;
    const exec = go(server.url);
    const { result, stdout, stderr, exitCode } = await run(
      source(server.url, { imports, exec, iterations: 14 }),
      "--workers",
      "1",
    );
    expect(exitCode, stdout).toBe(0);
    expectBalanced(result);
    expect(server.counts.get("GET /x")).toBe(14);
    expect(result.metrics["http_reqs"]?.values).toMatchObject({ count: 14 });
    expect(result.unmeasured).toMatchObject([
      { host: hostOf(server.url), stage: "load", requests: 14, refused: 0, source: { line: 13, column: 32 } },
    ]);
    expect(stdout).toContain("14 requests bypassed bearhug's http and are not in any metric");
    const notices = stderr.split("\n").filter((line) => line.includes("bypasses bearhug's http"));
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain("your-test.ts:13:32");
  });

  test("is refused for other hosts, whichever way it takes, and reported with its line", async () => {
    const server = await startServer();
    const { servers, imports, exec } = await startWays();
    const { result, stdout, stderr, exitCode } = await run(source(server.url, { imports, exec }));
    expect(exitCode, stderr).toBe(0);
    for (const [index, { by }] of ways.entries()) {
      const { url, connections } = servers[index]!;
      expect(connections(), by).toBe(0);
      expect(stderr).toContain(`${by}: HOST_NOT_ALLOWED`);
      expect(stderr).toContain(`a connection to ${hostOf(url)} was refused`);
      expect(result.unmeasured[index], by).toMatchObject({
        host: hostOf(url),
        stage: "load",
        requests: 0,
        connections: 0,
        refused: 1,
        source: { line: 13 + index },
      });
    }
    expect(result.unmeasured).toHaveLength(ways.length);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "7 connections were refused, because the test does not name these hosts",
    );
  });

  test("fails its iteration if the error is not handled, and the message says why", async () => {
    const [server, other] = [await startServer(), await startServer()];
    const { result } = await run(source(server.url, { exec: `await fetch("${other.url}/x");` }));
    expect(result.accounting.iterations).toMatchObject({ completed: 0, failed: 1 });
    expect(result.errors.map(({ message }) => message).join()).toContain(
      `fetch failed: GET ${other.url}: the test does not name this host`,
    );
  });

  test("reaches other hosts with allowUnmeasured, and is reported", async () => {
    const server = await startServer();
    const { servers, imports, exec } = await startWays();
    const options = "allowUnmeasured: true,";
    const { result, stderr, exitCode } = await run(source(server.url, { imports, options, exec }));
    expect(exitCode, stderr).toBe(0);
    for (const [index, { by, isRequest }] of ways.entries()) {
      const { url, connections } = servers[index]!;
      expect(connections(), by).toBe(1);
      expect(result.unmeasured[index], by).toMatchObject({
        host: hostOf(url),
        requests: isRequest ? 1 : 0,
        connections: 1,
        refused: 0,
        source: { line: 13 + index },
      });
    }
  });

  test("is refused and reported if a package sends it with its own undici, too", async () => {
    const [server, other] = [await startServer(), await startServer()];
    const folder = temporaryFolder();
    mkdirSync(join(folder, "node_modules"));
    const name = "undici";
    const installed = fileURLToPath(new URL(`../../../../bench/node_modules/${name}`, import.meta.url));
    symlinkSync(installed, join(folder, "node_modules", name));
    const exec = `await request("${other.url}/x").catch((error) => log(error.code));`;
    const file = join(folder, "with-undici.ts");
    writeFileSync(file, source(server.url, { imports: `import { request } from "${name}";`, exec }));
    const { result, stderr } = await runForResult(["run", file]);
    expect(other.connections(), stderr).toBe(0);
    expect(stderr).toContain("HOST_NOT_ALLOWED");
    expect(result.unmeasured).toMatchObject([
      { host: hostOf(other.url), requests: 0, connections: 0, refused: 1 },
    ]);
  });

  test("is reported and never refused in setup and teardown, for example to a database", async () => {
    const [server, other] = [await startServer(), await startServer()];
    const { imports, go } = ways.find(({ by }) => by === "a connected socket")!;
    const options = `setup: async () => { ${go(other.url)} }, teardown: async () => { await fetch("${other.url}/bye"); },`;
    const { result, stdout, exitCode } = await run(source(server.url, { imports, options, exec: "" }));
    expect(exitCode, stdout).toBe(0);
    expect(result.unmeasured).toMatchObject([
      {
        host: hostOf(other.url),
        stage: "setup",
        requests: 0,
        connections: 1,
        refused: 0,
        source: { line: 7 },
      },
      { host: hostOf(other.url), stage: "teardown", requests: 1, connections: 1, refused: 0 },
    ]);
  });

  test.each(["run", "run --workers 0", "try --iterations 4"])(
    "from a server that setup started is neither refused nor noted during the load (%s)",
    async (command) => {
      const database = await startServer();
      const web = await startServer();
      const file = writeTest(`import { defineTest } from "@bearhug/sdk";
import { once } from "node:events";
import { createServer, get } from "node:http";
import { connect } from "node:net";
const port = ${await freePort()};
const answer = async (response) => {
  const socket = connect(${new URL(database.url).port}, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
  await fetch("${web.url}/fetched");
  const [reply] = await once(get("${web.url}/got", { agent: false }), "response");
  reply.resume();
  response.end("answered");
};
const app = createServer((_request, response) => {
  answer(response).catch((error) => { response.statusCode = 500; response.end(String(error.cause ?? error)); });
});
export default defineTest({
  baseUrl: "http://127.0.0.1:" + port,
  setup: async () => { app.listen(port, "127.0.0.1"); await once(app, "listening"); },
  scenarios: {
    s: {
      executor: "shared-iterations", vus: 1, iterations: 4,
      exec: async ({ http, check }) => {
        const response = await http.get("/");
        check(response.text(), { answered: (text) => text === "answered" });
        const refused = await fetch("${web.url}/of-the-test").catch((error) => error.cause.code);
        check(refused, { refused: (code) => code === "HOST_NOT_ALLOWED" });
      },
    },
  },
  thresholds: { checks: ["rate==1"] },
});`);
      const { stdout, stderr } = await runBearhug([...command.split(" "), file]);
      expect(stdout + stderr).not.toMatch(/✗ (?:answered|refused)|500/);
      expect(Object.fromEntries(web.counts)).toEqual({ "GET /fetched": 4, "GET /got": 4 });
      expect(stdout + stderr).not.toContain(new URL(database.url).host);
    },
  );

  test("is refused with --workers 0 as well, while bearhug's own requests still pass", async () => {
    const [server, other] = [await startServer(), await startServer()];
    const exec = `await fetch("${other.url}/x").catch((error) => log(error.cause.code)); await http.get("/again");`;
    const options = `teardown: async () => { await fetch("${other.url}/bye"); },`;
    const { result, stderr } = await run(source(server.url, { exec, options }), "--workers", "0");
    expect(stderr).toContain("HOST_NOT_ALLOWED");
    expect(other.counts).toEqual(new Map([["GET /bye", 1]]));
    expect(server.counts.get("GET /again")).toBe(1);
    expect(result.unmeasured).toMatchObject([
      { stage: "load", refused: 1 },
      { stage: "teardown", requests: 1, refused: 0 },
    ]);
  });

  test("is refused in load workers while the module loads, and the message names the option that helps", async () => {
    const [server, other] = [await startServer(), await startServer()];
    const module = `export const config = await fetch("${other.url}/config");`;
    const { stderr, stdout, exitCode } = await run(source(server.url, { module, exec: "" }));
    expect(exitCode).toBe(107);
    expect(stdout + stderr).toContain("allowUnmeasured");
    const allowed = await run(source(server.url, { module, options: "allowUnmeasured: true,", exec: "" }));
    expect(allowed.exitCode, allowed.stderr).toBe(0);
    expect(allowed.result.unmeasured.map(({ stage }) => stage)).toEqual(["module", "load"]);
  });

  test.each([
    ["globalThis.fetch = mock;", "is assigned"],
    [
      `Object.defineProperty(globalThis, "fetch", { value: mock, configurable: true, enumerable: true });`,
      "is defined anew",
    ],
  ])("is reported if a mock of fetch answers; what the mock passes on is measured: %s", async (replace) => {
    const server = await startServer();
    const module = `const real = globalThis.fetch;
const mock = async (input, init) => (String(input).endsWith("/mocked") ? new Response("{}") : real(input, init));
${replace}`;
    const exec = `await fetch("/mocked"); await fetch("${server.url}/mocked"); await fetch("${server.url}/passed");`;
    const { result, stdout, stderr, exitCode } = await run(
      source(server.url, { module, exec, iterations: 3 }),
      "--workers",
      "1",
    );
    expect(exitCode, stdout).toBe(0);
    expectBalanced(result);
    expect(server.counts).toEqual(
      new Map([
        ["GET /measured", 3],
        ["GET /passed", 3],
      ]),
    );
    expect(result.metrics["http_reqs"]?.values).toMatchObject({ count: 6 });
    expect(result.unmeasured).toMatchObject([
      {
        host: hostOf(server.url),
        stage: "load",
        requests: 6,
        connections: 0,
        refused: 0,
        source: { line: 15 },
      },
    ]);
    expect(stdout).toContain("6 requests bypassed bearhug's http and are not in any metric");
    expect(stderr).toContain("bypasses bearhug's http");
  });

  test("is not mentioned if there is none", async () => {
    const server = await startServer();
    const { result, stdout, stderr } = await run(source(server.url, { exec: `await http.get("/x");` }));
    expect(result.unmeasured).toEqual([]);
    expect(stdout + stderr).not.toContain("bypass");
  });
});
