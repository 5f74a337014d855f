import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runBearhug, runForResult, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Starts a server whose first page redirects to a login. */
async function startShop() {
  return startServer((request, response) => {
    const isLoggedIn = request.url !== "/";
    response
      .writeHead(isLoggedIn ? 200 : 302, isLoggedIn ? {} : { location: "/login?next=%2F" })
      .end("hello");
  });
}

test("a one-liner that only meets a login page says so, with the status and where it leads", async () => {
  const { url } = await startShop();
  const markdown = join(temporaryFolder(), "r.md");
  const arguments_ = [url, "-n", "20", "-c", "2", "--out", `markdown=${markdown}`];
  const { exitCode, stdout, result } = await runForResult(arguments_);
  expect(exitCode, stdout).toBe(0);
  const note = `GET / redirects to ${url}/login?next=%2F (status 302), which was not followed. To load that page, give its address`;
  expect(result.notes).toEqual([note]);
  expect(stdout.replaceAll(/\n +/g, " ")).toContain(`completed: ${note}`);
  expect(stdout).toMatch(/^ {2}statuses {2}302: 20$/m);
  expect(readFileSync(markdown, "utf8")).toContain("| statuses | 302: 20 |");
});

test("a redirect that --expect names is not mentioned further", async () => {
  const { url } = await startShop();
  const { exitCode, stdout, result } = await runForResult([url, "-n", "4", "--expect", "302"]);
  expect(exitCode, stdout).toBe(0);
  expect(result.notes).toEqual([]);
  expect(stdout).toContain("statuses  302: 4");
});

test("a run that only meets 200 lists no statuses, and a test that follows redirects has no note about these", async () => {
  const { url } = await startShop();
  const plain = await runBearhug([`${url}/login`, "-n", "4"]);
  expect(plain.stdout).not.toContain("statuses");
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ baseUrl: "${url}", scenarios: {
  s: { executor: "shared-iterations", iterations: 3, exec: async ({ http }) => { await http.get("/"); } },
} });`);
  const { stdout, result } = await runForResult(["run", file]);
  expect(stdout).toContain("statuses  302: 3 · 200: 3");
  const login =
    "3 requests of GET / ended at GET /login, which looks like a login page: the test may measure only that.";
  expect(result.notes).toEqual([expect.stringContaining(login)]);
});

test("--expect names the statuses that do not fail a request: all others do", async () => {
  const server = await startServer((request, response) => {
    response.writeHead(request.url === "/gone" ? 404 : 200).end();
  });
  const meant = await runForResult([`${server.url}/gone`, "-n", "5", "--expect", "404"]);
  expect(meant.exitCode, meant.stdout).toBe(0);
  expect(meant.stdout).toContain("statuses  404: 5");
  expect(meant.result.errors).toEqual([]);
  const there = await runForResult([server.url, "-n", "5", "--expect", "404"]);
  expect(there.exitCode).toBe(99);
  expect(there.result.messages.join()).toContain("no request succeeded: HTTP_200");
  const either = await runBearhug([server.url, `${server.url}/gone`, "-n", "20", "--expect", "2xx,404"]);
  expect(either.exitCode, either.stdout).toBe(0);
  const refused = await runBearhug([server.url, "--expect", "4o4"]);
  expect(refused.exitCode).toBe(104);
  expect(refused.stderr).toContain(
    '--expect: must be statuses such as 404, 2xx or 200-299, with commas between them, but is "4o4".',
  );
});
