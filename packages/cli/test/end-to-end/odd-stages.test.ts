import { join } from "node:path";

import { expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { readResult, runBearhug, runForResult, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer, type TestServer } from "./test-server.ts";

/** Starts a shop whose logins end at an error page, and whose cookie no browser keeps. */
async function startShop(): Promise<TestServer> {
  return startServer(({ url }, response) => {
    if (url === "/login") response.writeHead(302, { location: "/error.aspx" });
    if (url === "/session") response.setHeader("set-cookie", "sid=1; Domain=shop.example");
    response.end();
  });
}

function testOf({ url }: TestServer, stages: string): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  ${stages}
  scenarios: { s: { executor: "per-vu-iterations", vus: 2, iterations: 5, exec: async ({ http }) => { await http.get("/"); } } },
});`);
}

const login = `await http.post("/login", { json: {} });`;

const errorPage = ({ url }: TestServer): string =>
  `POST ${url}/login was redirected to ${url}/error.aspx, which looks like an error page and responded with status 200`;

test("what is odd about requests of setup, vuState and teardown is noted, and is none of the load's", async () => {
  const server = await startShop();
  const visit = `await http.get("/session"); await http.get("/account");`;
  const file = testOf(
    server,
    `setup: async ({ http }) => { ${login} },
  vuState: async ({ http }) => { ${login} },
  teardown: async ({ http }) => { ${visit} },`,
  );
  const folder = temporaryFolder();
  const recording = join(folder, "run.bearhug");
  const { exitCode, result, stdout } = await runForResult(["run", file, "--out", `recording=${recording}`]);
  expect(exitCode).toBe(0);
  const notes = [
    `1 request of setup ended at an error page with status 200 (POST /login): ${errorPage(server)}`,
    `2 requests of vuState ended at an error page with status 200 (POST /login): ${errorPage(server)}`,
    `at least 1 request of teardown lacked a cookie that the target had set (GET /account): no browser would keep the cookie "sid" that ${server.url} set: its domain "shop.example" is not that of the address`,
  ];
  expect(result.notes).toEqual(notes);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("1 request of setup ended at an error page");
  expect(result.errors).toEqual([]);
  expect(result.accounting.requests.map(({ name, started }) => ({ name, started }))).toEqual([
    { name: "GET /", started: 10 },
  ]);
  expectBalanced(result);
  const again = join(folder, "again.json");
  const reported = await runBearhug(["report", recording, "--out", `json=${again}`]);
  expect(readResult(again, reported).notes).toEqual(notes);
});

test("a setup that throws because its login ended at an error page says so", async () => {
  const server = await startShop();
  const file = testOf(server, `setup: async ({ http }) => { ${login} throw new Error("no token"); },`);
  const { exitCode, result } = await runForResult(["run", file]);
  expect(exitCode).toBe(107);
  expect(result.notes).toEqual([
    `1 request of setup ended at an error page with status 200 (POST /login): ${errorPage(server)}`,
  ]);
});

test("merged results and merged shards keep the notes, added up", async () => {
  const server = await startShop();
  const file = testOf(server, `vuState: async ({ http }) => { ${login} },`);
  const folder = temporaryFolder();
  const note = `2 requests of vuState ended at an error page with status 200 (POST /login): ${errorPage(server)}`;
  const merged = async (kind: string, ...parts: readonly string[]): Promise<readonly string[]> => {
    const path = join(folder, `${kind}.json`);
    return readResult(path, await runBearhug(["merge", ...parts, "-o", path])).notes;
  };
  const shards = [1, 2].map((shard) => join(folder, `${shard}.bearhug`));
  for (const [index, path] of shards.entries())
    await runBearhug(["run", file, "--seed", "7", "--shard", `${index + 1}/2`, "--out", `recording=${path}`]);
  expect(await merged("shards", ...shards)).toContain(note);
  const results = shards.map((path) => path.replace("bearhug", "json"));
  for (const [index, path] of results.entries())
    await runBearhug(["run", file, "--seed", "7", "--shard", `${index + 1}/2`, "--out", `json=${path}`]);
  expect(await merged("results", ...results)).toContain(note);
});

test("try shows what is odd about requests of setup, and does not fail for it", async () => {
  const server = await startShop();
  const file = testOf(server, `setup: async ({ http }) => { ${login} },`);
  const { exitCode, stdout } = await runBearhug(["try", file]);
  expect(exitCode).toBe(0);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    `ERROR_PAGE in setup, POST /login: ${errorPage(server)} ✓ 3 requests (0 failed)`,
  );
  const asJson = await runBearhug(["try", file, "--json"]);
  expect(asJson.exitCode).toBe(0);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    errors: [{ code: "ERROR_PAGE", message: errorPage(server), count: 1 }],
  });
});
