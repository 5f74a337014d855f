import { join } from "node:path";

import { expect, test } from "vitest";

import { readResult, runBearhug, runForResult, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer, type TestServer } from "./test-server.ts";

/** A site whose pages under `/account` and `/logout` redirect to its login page. */
function startSite(): Promise<TestServer> {
  let visits = 0;
  return startServer(({ url = "" }, response) => {
    const isRedirected = /^\/(?:account|logout)/.test(url) || (url === "/half" && visits++ % 2 === 0);
    if (isRedirected) response.writeHead(302, { location: "/login?next=%2F" });
    response.end();
  });
}

function testOf({ url }: TestServer, exec: string): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ baseUrl: "${url}", scenarios: {
  browse: { executor: "shared-iterations", vus: 2, iterations: 10, exec: async ({ http, check }) => {
    ${exec}
  } },
} });`);
}

const note =
  'looks like a login page: the test may measure only that. Log in first, or check where requests end: check(response, endsAt("/…"))';

test("a test whose pages all redirect to a login page gets a note, also from its recording", async () => {
  const file = testOf(await startSite(), `await http.get("/"); await http.get("/account");`);
  const folder = temporaryFolder();
  const line = ["run", file, "--out", "json=run.json", "--out", "recording=run.ndjson.gz"];
  const ended = await runBearhug(line, folder);
  expect(ended.exitCode, ended.stderr).toBe(0);
  const { notes } = readResult(join(folder, "run.json"), ended);
  expect(notes).toEqual([`10 requests of GET /account ended at GET /login, which ${note}`]);
  expect(ended.stdout.replaceAll(/\s+/g, " ")).toContain("10 requests of GET /account ended at GET /login");
  const report = await runBearhug(["report", "run.ndjson.gz", "--out", "json=again.json"], folder);
  expect(readResult(join(folder, "again.json"), report).notes).toEqual(notes);
});

test.each([
  ["fails", 1, 1],
  ["asks for the name and the password in turn", 2, 0],
])("a test whose login %s", async (_, steps, notes) => {
  let logins = 0;
  const server = await startServer(({ method }, response) => {
    if (method === "POST")
      response.writeHead(302, { location: ++logins % steps === 0 && steps > 1 ? "/" : "/login?next" });
    response.end();
  });
  const exec = `await http.get("/login"); check(await http.post("/login", { form: { a: 1 } }), { ok: ({ status }) => status === 200 });`;
  const { result } = await runForResult(["run", testOf(server, exec)]);
  expect(result.exitCode).toBe(0);
  expect(result.notes).toEqual(
    Array(notes).fill(
      '10 requests of POST /login ended at GET /login, which looks like a login page: the logins may have failed. Look at their responses, or check where requests end: check(response, endsAt("/…"))',
    ),
  );
});

test("requests of fetch are noted, too", async () => {
  const server = await startSite();
  const exec = `await http.fetch("/account"); await fetch("${server.url}/account/orders");`;
  const { result } = await runForResult(["run", testOf(server, exec)]);
  expect(result.notes).toEqual([
    `10 requests of GET /account, and those of 1 other name, ended at GET /login, which ${note}`,
  ]);
});

test("the note counts further names", async () => {
  const exec = `await http.get("/account"); await http.get("/account/orders"); await http.get("/account");`;
  const { result } = await runForResult(["run", testOf(await startSite(), exec)]);
  expect(result.notes).toEqual([
    `20 requests of GET /account, and those of 1 other name, ended at GET /login, which ${note}`,
  ]);
});

test.each([
  ["without checks", ""],
  [
    "that checks statuses, and sends forms",
    `check(response, { ok: ({ status }) => status === 200 }); await http.post("/basket");`,
  ],
])("a session that ends in mid-run gets a note that says when, also in a test %s", async (_, then) => {
  let visits = 0;
  const server = await startServer(({ url }, response) => {
    if (url === "/account" && ++visits > 30) response.writeHead(302, { location: "/login" });
    response.end();
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ baseUrl: "${server.url}", scenarios: {
  browse: { executor: "constant-arrival-rate", rate: 20, duration: "4s", exec: async ({ http, check }) => {
    const response = await http.get("/account"); ${then}
  } },
} });`);
  const { result } = await runForResult(["run", file]);
  expect(result.exitCode).toBe(0);
  expect(result.notes).toEqual([
    expect.stringMatching(
      /^from about [23] s on, nearly all requests of GET \/account \([1-5]\d\) ended at GET \/login, which looks like a login page: the session may have ended\. Log in again in time, or check where requests end: check\(response, endsAt\("\/…"\)\)$/,
    ),
  ]);
});

test.each([
  ["only requests the login page", `await http.get("/login");`],
  ["requests the login page itself, too", `await http.get("/account"); await http.get("/login");`],
  ["sends a form, which may be a login", `await http.get("/account"); await http.post("/enter");`],
  ["checks responses", `check(await http.get("/account"), { ok: ({ status }) => status === 200 });`],
  ["expects a status", `await http.get("/account", { expect: 200 });`],
  ["names its requests", `await http.get("/account", { name: "GET /account" });`],
  ["logs out", `await http.get("/logout");`],
  ["is redirected half of the time", `await http.get("/half");`],
  ["follows no redirects", `await http.get("/account", { redirects: 0 });`],
])("a test that %s gets no such note", async (_, exec) => {
  const { result } = await runForResult(["run", testOf(await startSite(), exec)]);
  expect(result.notes.join()).not.toContain("login page");
  expect(result.accounting.iterations).toMatchObject({ completed: 10, failed: 0 });
});
