import { expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

test.for([
  ["closed", `executor: "constant-vus", vus: 3, duration: "500ms"`],
  ["open", `executor: "constant-arrival-rate", rate: 20, duration: "500ms"`],
])("a target that never answers fails the run, without a threshold: %s model", async ([, load]) => {
  const server = await startServer(() => undefined);
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: { s: { ${load}, gracefulStop: "200ms", exec: ({ http }) => http.get("/never") } },
});`);
  const { exitCode, result, stdout } = await runForResult(["run", file]);
  expect(exitCode, stdout).toBe(99);
  expect(result.verdict).toBe("failed");
  expect(result.messages[0]).toMatch(/^no request succeeded: \d+ still had no response when/);
  expect(stdout).not.toContain("no request was made");
  expect(stdout).toMatch(/none of \d+ started requests finished/);
  expectBalanced(result);
});

test("the verdict names the failure, its address and what may help", async () => {
  const server = await startServer((_request, response) => {
    response.statusCode = 401;
    response.end();
  });
  const { exitCode, result, stdout } = await runForResult([server.url, "-c", "2", "-n", "10"]);
  expect(exitCode).toBe(99);
  const address = server.url.replace("http://", "");
  expect(result.messages).toEqual([`no request succeeded: HTTP_401 at ${address} (does the test log in?)`]);
  expect(stdout.split("\n")[0]).toContain(`failed: no request succeeded: HTTP_401 at ${address}`);
  expect(result.errors).toMatchObject([{ code: "HTTP_401", origin: server.url }]);
});

const loginSetup = (url: string, path: string): string =>
  writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  setupTimeout: "3s",
  setup: async ({ http }) => (await http.post("${path}")).json(),
  scenarios: { s: { executor: "shared-iterations", exec: ({ http }) => http.get("/") } },
});`);

test("a setup that fails on the response to a request names the request", async () => {
  const server = await startServer((request, response) => {
    if (request.url === "/hang") return;
    response.statusCode = 401;
    response.end("<h1>log in</h1>");
  });
  const address = server.url.replace("http://", "");
  const refused = await runForResult(["run", loginSetup(server.url, "/login")]);
  expect(refused.exitCode).toBe(107);
  expect(refused.result.messages[0]).toMatch(/^setup failed at .*your-test\.ts:5:\d+: .*JSON/);
  expect(refused.result.messages[0]).toContain(
    `; before that, POST /login failed: HTTP_401 at ${address} (does the test log in?)`,
  );
  const hung = await runForResult(["run", loginSetup(server.url, "/hang")]);
  expect(hung.exitCode).toBe(107);
  expect(hung.result.messages[0]).toContain("still running after 3000 ms; see setupTimeout");
  expect(hung.result.messages[0]).toContain("; before that, POST /hang got no response");
});

test("a run too short to judge the load generator says so", async () => {
  const server = await startServer();
  const { exitCode, stdout } = await runForResult([server.url, "-n", "5", "--strict-generator"]);
  expect(exitCode, stdout).toBe(0);
  const text = stdout.replaceAll(/\s+/g, " ");
  expect(text).toContain("too short to judge the load generator");
  expect(text).toMatch(
    /Generator not judged: 1 worker .* the run was shorter than 2\.00 s: too short to judge the generator/,
  );
});
