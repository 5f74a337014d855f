import { expect, test } from "vitest";

import { expectLostWorker } from "./doomed-worker.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

// On a busy machine, filling more than a gigabyte could take longer than the load.
test("a heap overflow in a scenario names the worker, and keeps the other's results", async () => {
  await expectLostWorker({
    // With fetch in its code, a worker may have the larger heap.
    end: "const hoard: unknown[] = [fetch]; for (;;) hoard.push(new Array(1e6).fill(hoard.length));",
    reason: "ran out of heap",
    durationMs: 20_000,
  });
});

test("a worker that leaves much garbage is not lost", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    wasteful: {
      executor: "shared-iterations", vus: 1, iterations: 1, maxDuration: "50s",
      exec: async ({ http, sleep }) => {
        const eightMegabytes = () => new Array(1e6).fill(0);
        const held = Array.from({ length: 90 }, eightMegabytes);
        for (let renewed = 0; renewed < 300; renewed++) {
          held[renewed % 90] = eightMegabytes();
          await sleep("5ms");
        }
        await http.fetch("/" + held.length);
      },
    },
  },
});`);
  const { exitCode, result } = await runForResult(["run", file, "--workers", "1"]);
  expect(result.generator.workers[0]?.lost).toBeNull();
  expect(exitCode).toBe(0);
  expect(server.counts.get("GET /90")).toBe(1);
});
