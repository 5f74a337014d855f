import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, runBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

function checking(baseUrl: string, body: string): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${baseUrl}", env: { TOKEN: { secret: true, default: "hunter2-secret" } },
  scenarios: { s: { executor: "per-vu-iterations", vus: 2, iterations: 10, exec: async ({ http, check, page, iteration, env, log }) => {
    ${body}
  } } },
});`);
}

const page = "<!doctype html><title>Not what you think</title>";

test("a check that threw each time fails the run, and says what it threw, where, and how often", async () => {
  const server = await startServer((_request, response) => {
    response.end(page);
  });
  const body = `check(await http.get("/"), {
      "has users": (r) => (r.json() as unknown[]).length > 0,
      "is sometimes odd": () => { if (iteration.index % 2 === 0) throw new Error("even " + env.TOKEN); return true; },
      "is ok": (r) => r.ok });`;
  const file = checking(server.url, body);
  const { exitCode, stdout, result } = await runForResult(["run", file, "--workers", "2"]);
  expect(exitCode).toBe(99);
  expect(result.verdict).toBe("failed");
  expect(result.messages).toHaveLength(1);
  expect(result.messages[0]).toContain('check "has users" in scenario s threw in all 20 evaluations at ');
  expect(result.messages[0]).toContain("your-test.ts:6:");
  const [users, odd, ok] = result.checks;
  expect(users).toMatchObject({ passes: 0, fails: 20, exception: { count: 20, source: { line: 6 } } });
  expect(users?.exception?.frame).toContain('"has users"');
  expect(odd).toMatchObject({ passes: 10, fails: 10, exception: { count: 10, source: { line: 7 } } });
  expect(odd?.exception?.message).toBe("Error: even ***");
  expect(ok).toMatchObject({ passes: 20, fails: 0, exception: null });
  expect(stdout).toContain("20 of 20 threw");
  expect(stdout).toContain("10 of 20 threw");
  expect(stdout).not.toContain("hunter2");
  expectBalanced(result);
});

test.each([
  {
    what: "given to check",
    body: `check(http.get("/"), { "is ok": () => true });`,
    says: "await the request first",
  },
  {
    what: "returned by a check",
    body: `check(await http.get("/"), { "is ok": (async () => true) as never });`,
    says: "returned a promise",
  },
])("a promise $what fails the iteration, and names the check", async ({ body, says }) => {
  const server = await startServer();
  const { result } = await runForResult(["run", checking(server.url, body), "--workers", "1"]);
  expect(result.accounting.iterations).toMatchObject({ started: 20, failed: 20 });
  expect(result.errors).toMatchObject([{ code: "TEST_THREW", count: 20, source: { line: 5 } }]);
  expect(result.errors[0]?.message).toContain('check "is ok"');
  expect(result.errors[0]?.message).toContain(says);
  expectBalanced(result);
});

test("the exceptions of checks are in the recording of a run, too", async () => {
  const server = await startServer();
  const file = checking(
    server.url,
    `check(await http.get("/"), { "is ok": () => { throw new Error("no") } }); process.kill(process.pid, iteration.index === 30 ? "SIGKILL" : 0); await new Promise((done) => setTimeout(done, 100));`,
  );
  const cache = temporaryFolder();
  const flags = ["run", file, "--workers", "1", "--iterations", "40"];
  await runBearhug(flags, temporaryFolder(), { XDG_CACHE_HOME: cache });
  const listed = await runBearhug(["report"], temporaryFolder(), { XDG_CACHE_HOME: cache });
  const recording = /bearhug report (\S+)/.exec(listed.stdout)?.[1] ?? "";
  const path = `${temporaryFolder()}/result.json`;
  await runBearhug(["report", recording, "--out", `json=${path}`]);
  const result = JSON.parse(readFileSync(path, "utf8")) as { checks: unknown };
  expect(result.checks).toMatchObject([
    { name: "is ok", passes: 0, exception: { message: "Error: no", source: { line: 5 } } },
  ]);
});
