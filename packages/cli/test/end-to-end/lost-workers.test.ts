import { expect, test } from "vitest";

import { doomed, expectLostWorker } from "./doomed-worker.ts";
import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

test.for([
  { name: "process.exit()", end: "process.exit(3);", reason: "process.exit(3)" },
  { name: "an endless loop", end: "for (;;) {}", reason: "blocked" },
])(
  "a worker that is lost to $name in a scenario is named in time, and the results of the other are kept",
  expectLostWorker,
);

test("an iteration with a promise that never settles is interrupted at the stop", async () => {
  const server = await startServer();
  const file = doomed(server.url, "await new Promise(() => undefined);");
  const { exitCode, result } = await runForResult(["run", file, "--workers", "2"]);
  expect(exitCode).toBe(0);
  expect(result.accounting.iterations.interrupted).toBe(1);
  expectBalanced(result);
});

test("an endless loop in setup is ended by its time-out, exit 107", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}", setupTimeout: "1s", setup: () => { for (;;) {} },
  scenarios: { never: { executor: "constant-vus", vus: 1, duration: "1s", exec: ({ http }) => http.get("/") } },
});`);
  const { exitCode, result } = await runForResult(["run", file]);
  expect(exitCode).toBe(107);
  expect(result.messages.join()).toContain("setupTimeout");
  expect(server.total()).toBe(0);
});
