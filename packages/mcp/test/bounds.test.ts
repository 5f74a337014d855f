import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { startServer, type TestServer } from "../../cli/test/end-to-end/test-server.ts";
import { readBounds } from "../src/bounds.ts";
import { call, connect, folderOf } from "./connect.ts";

interface Servers {
  /** The server that the user allows. */
  readonly near: TestServer;
  /** Any other server, which must never be contacted. */
  readonly far: TestServer;
}

interface Attempt {
  readonly name: string;
  /** Options of the test, which replace the default ones. */
  readonly options?: (servers: Servers) => string;
  readonly scenario?: (servers: Servers) => string;
  /** The tool to call. @default "run_test" */
  readonly tool?: string;
  readonly values?: Readonly<Record<string, unknown>>;
  /** Additional files beside the test. */
  readonly files?: (servers: Servers) => Readonly<Record<string, string>>;
  readonly says: RegExp;
}

const hostOf = (server: TestServer): string => new URL(server.url).host;
const refusesHost = /--limit-hosts: the test may contact /;

const attempts: readonly Attempt[] = [
  { name: "more users by the call", values: { vus: 1000 }, says: /--limit-vus 4: the test plans up to 1000/ },
  { name: "more time by the call", values: { seconds: 3600 }, says: /--limit-duration 1 m 0 s: / },
  { name: "more users in the test", scenario: () => "vus: 500", says: /--limit-vus 4: / },
  {
    name: "more time in the test",
    scenario: () => 'duration: "2h"',
    says: /--limit-duration 1 m 0 s: the test may run for 2 h/,
  },
  { name: "time by a graceful stop", scenario: () => 'gracefulStop: "10m"', says: /--limit-duration/ },
  { name: "time by a late start", scenario: () => 'startTime: "10m"', says: /--limit-duration/ },
  {
    name: "users by a variable",
    options: () => 'env: { MANY: { type: "number", default: 1 } }',
    scenario: () => "vus: ({ env }) => env.MANY",
    values: { variables: { MANY: "900" } },
    says: /--limit-vus 4: the test plans up to 900/,
  },
  { name: "another site", options: ({ far }) => `baseUrl: "${far.url}"`, says: refusesHost },
  { name: "one more host", options: ({ far }) => `allowHosts: ["${hostOf(far)}"]`, says: refusesHost },
  {
    name: "another site by a variable",
    options: ({ far }) => `env: { SITE: { default: "${far.url}" } }, baseUrl: ({ env }) => env.SITE`,
    says: refusesHost,
  },
  {
    name: "an address for the host",
    options: ({ far }) =>
      `baseUrl: "http://shop.example", http: { hosts: { "shop.example": "${hostOf(far)}" } }`,
    says: /--limit-hosts: .* \(http\.hosts\)/,
  },
  {
    name: "a proxy",
    options: ({ far }) => `http: { proxy: "${far.url}" }`,
    says: /--limit-hosts: .* \(http\.proxy\)/,
  },
  {
    name: "a proxy of a scenario",
    scenario: ({ far }) => `http: { proxy: "${far.url}" }`,
    says: /--limit-hosts: .* \(http\.proxy\)/,
  },
  {
    name: "a Unix socket",
    options: () => 'http: { unixSocket: "/var/run/docker.sock" }',
    says: /\/var\/run\/docker\.sock \(http\.unixSocket\)/,
  },
  {
    name: "a name server",
    options: () => 'http: { dns: { servers: ["127.0.0.9"] } }',
    says: /127\.0\.0\.9 \(http\.dns\.servers\)/,
  },
  { name: "traffic around bearhug", options: () => "allowUnmeasured: true", says: /allowUnmeasured/ },
  {
    name: "fetch to another host",
    scenario: ({ far }) => `exec: () => fetch("${far.url}")`,
    says: /does not name this host/,
  },
  {
    name: "a redirect to another host",
    scenario: ({ far }) => `exec: ({ http }) => http.get("/to?${far.url}")`,
    says: /a redirect to .* was not followed/,
  },
  { name: "an option that the tool does not have", values: { target: "http://a.example" }, says: /target/ },
  {
    name: "an option in a variable's name",
    values: { variables: { "--limit-vus": "9999" } },
    says: /variables/i,
  },
  { name: "an option in a scenario's name", values: { scenario: "--limit-vus=9999" }, says: /scenario/i },
  { name: "a file outside", values: { file: "../outside.load.ts" }, says: /is not in |no such file/ },
  {
    name: "an absolute path outside",
    values: { file: join(import.meta.dirname, "connect.ts") },
    says: /is not in /,
  },
  { name: "standard input", values: { file: "-" }, says: /there is no such file/ },
  { name: "a link to a file outside", values: { file: "link.load.ts" }, says: /is not in / },
  {
    name: "a capture",
    values: { file: "shop.har" },
    files: () => ({ "shop.har": "{}" }),
    says: /must end in /,
  },
  { name: "any file as a result", tool: "read_result", values: { path: "/etc/passwd" }, says: /is not in / },
  {
    name: "one iteration elsewhere",
    tool: "try_test",
    options: ({ far }) => `baseUrl: "${far.url}"`,
    says: refusesHost,
  },
];

function testOf({ options, scenario }: Attempt, servers: Servers): string {
  const own = scenario?.(servers) ?? "";
  const given = options?.(servers) ?? "";
  return `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  ${/\bbaseUrl:/.test(given) ? "" : `baseUrl: "${servers.near.url}",`}
  ${given === "" ? "" : `${given},`}
  scenarios: { s: {
    executor: "constant-vus",
    ${["vus: 2", 'duration: "500ms"', 'gracefulStop: "1s"', 'exec: ({ http }) => http.get("/")']
      .filter((usual) => !own.startsWith(usual.split(":", 1)[0] ?? ""))
      .concat(own === "" ? [] : [own])
      .join(",\n    ")}
  } },
});
`;
}

describe("the bounds cannot be widened by", () => {
  test.each(attempts)("$name", async (attempt) => {
    const near = await startServer((request, response) => {
      const [, location] = request.url?.split("?") ?? [];
      const head = location === undefined ? {} : { location };
      setTimeout(() => response.writeHead(location === undefined ? 200 : 302, head).end(), 2);
    });
    const servers = { near, far: await startServer() };
    const directory = folderOf({
      "shop.load.ts": testOf(attempt, servers),
      ...attempt.files?.(servers),
    });
    symlinkSync(join(import.meta.dirname, "connect.ts"), join(directory, "link.load.ts"));
    const client = await connect({ hosts: [hostOf(near), "shop.example"], vus: 4, seconds: 60, directory });
    const { tool = "run_test", values = {} } = attempt;
    const usual = tool === "read_result" ? {} : { file: "shop.load.ts" };
    const { text } = await call(client, tool, { ...usual, ...values });
    expect(text).toMatch(attempt.says);
    expect(servers.far.connections()).toBe(0);
  });
});

test("the project's configuration and variables of bearhug do not reach a run", async () => {
  const [near, far] = [await startServer(), await startServer()];
  const attempt = { name: "configuration", says: /./ };
  const directory = folderOf({
    "shop.load.ts": testOf(attempt, { near, far }),
    "bearhug.config.ts": `export default { out: ["prometheus=${far.url}"], target: "${far.url}" };`,
  });
  process.env["BEARHUG_TARGET"] = far.url;
  try {
    const client = await connect({ hosts: [hostOf(near)], vus: 4, seconds: 60, directory });
    const { text } = await call(client, "run_test", { file: "shop.load.ts" });
    expect(text).toMatch(/^exit code: 0\n/);
    expect(near.total()).toBeGreaterThan(0);
    expect(far.connections()).toBe(0);
  } finally {
    delete process.env["BEARHUG_TARGET"];
  }
});

test("a second run is refused while one is under way", async () => {
  const near = await startServer();
  const directory = folderOf({ "shop.load.ts": testOf({ name: "", says: /./ }, { near, far: near }) });
  const client = await connect({ hosts: ["127.0.0.1"], vus: 4, seconds: 60, directory });
  const answers = await Promise.all([
    call(client, "run_test", { file: "shop.load.ts" }),
    call(client, "run_test", { file: "shop.load.ts" }),
  ]);
  expect(answers.map(({ isError }) => isError).toSorted()).toEqual([false, true]);
  expect(answers.map(({ text }) => text)).toContain(
    "A run is under way. Wait for its end: two would share the machine.",
  );
});

test("a file that changes after validation is checked again when it is run", async () => {
  const near = await startServer();
  const directory = folderOf({ "shop.load.ts": testOf({ name: "", says: /./ }, { near, far: near }) });
  const client = await connect({ hosts: ["127.0.0.1"], vus: 4, seconds: 60, directory });
  expect((await call(client, "validate", { file: "shop.load.ts" })).isError).toBe(false);
  const large = testOf({ name: "", scenario: () => "vus: 500", says: /./ }, { near, far: near });
  writeFileSync(join(directory, "shop.load.ts"), large);
  expect((await call(client, "run_test", { file: "shop.load.ts" })).text).toMatch(/--limit-vus 4/);
  expect(near.total()).toBe(0);
});

describe("the command line of bearhug-mcp", () => {
  test("has loopback and a small load as defaults", () => {
    expect(readBounds([], "/project")).toEqual({
      hosts: ["127.0.0.1", "localhost", "[::1]"],
      vus: 50,
      seconds: 120,
      directory: "/project",
    });
  });

  test("accepts other bounds", () => {
    const words = ["--host", "a.example", "--host", "b.example:81", "--max-vus", "7", "--max-seconds", "9"];
    expect(readBounds([...words, "--directory", "load"], "/project")).toEqual({
      hosts: ["a.example", "b.example:81"],
      vus: 7,
      seconds: 9,
      directory: "load",
    });
    expect(readBounds(["--help"], "/project")).toBeNull();
  });

  test.each([[["--max-vus", "0"]], [["--max-seconds", "1e9"]], [["--fast"]], [["word"]]])(
    "refuses %j in one sentence",
    (words) => {
      expect(() => readBounds(words, "/project")).toThrow(TypeError);
    },
  );
});
