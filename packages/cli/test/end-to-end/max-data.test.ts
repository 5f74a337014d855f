import { expect, test } from "vitest";

import { expectBalanced, sum } from "./expect-balanced.ts";
import { runForResult, runBearhug, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const body = Buffer.alloc(20_000, "x");

test("--max-data ends a run gracefully once that much was received, with exit code 0 and a note", async () => {
  const server = await startServer((_request, response) => void setTimeout(() => response.end(body), 5));
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: { visits: { executor: "constant-vus", vus: 4, duration: "60s", exec: ({ http }) => http.get("/") } },
  thresholds: { http_req_failed: ["rate==0"] },
});`);
  const { exitCode, result, stderr } = await runForResult([
    "run",
    file,
    "--max-data",
    "2MB",
    "--workers",
    "2",
  ]);
  expect(exitCode, stderr).toBe(0);
  expect(result.verdict).toBe("passed");
  expect(stderr).toContain("--max-data");
  expect(result.notes.join()).toContain("--max-data");
  expect(result.plan.maxDataBytes).toBe(2_000_000);
  expect(result.accounting.iterations).toMatchObject({ interrupted: 0, dropped: 0 });
  expectBalanced(result);
  expect(server.total()).toBe(sum(result, "sent"));
  const received = result.metrics["data_received"];
  const bytes = received?.type === "counter" ? received.values.count : 0;
  expect(bytes).toBeGreaterThanOrEqual(2_000_000);
  // At most 16 MB arrive in a second, and the limit is checked 20 times a second: a generous bound.
  expect(bytes).toBeLessThan(20_000_000);
});

test("--max-data counts the warm-up, too", async () => {
  const server = await startServer((_request, response) => void setTimeout(() => response.end(body), 5));
  const options = ["-d", "60s", "-c", "4", "--warmup", "50s", "--max-data", "1 MB"];
  const { exitCode, result } = await runForResult([`${server.url}/`, ...options]);
  expect(exitCode).toBe(99);
  expect(result.messages.join()).toContain("nothing was measured");
  expect(result.accounting.iterations.started).toBe(0);
  expect(result.accounting.warmup?.iterations.interrupted).toBe(0);
  expect(result.durationMs).toBe(0);
  expect(server.total()).toBeGreaterThanOrEqual(50);
});

test.for(["0", "10", "-5MB", "1e3MB", "lots", "0.1B"])("--max-data %s is refused", async (size) => {
  const { exitCode, stderr } = await runBearhug(["http://127.0.0.1:9/", `--max-data=${size}`]);
  expect(exitCode).toBe(104);
  expect(stderr).toContain("--max-data");
});
