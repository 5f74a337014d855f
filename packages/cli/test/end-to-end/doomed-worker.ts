import { expect } from "vitest";

import { expectBalanced, sum } from "./expect-balanced.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Writes a test in which VU 2 ends one of two workers; VUs 1 and 3 belong to the other. */
export function doomed(baseUrl: string, end: string, durationMs = 4000): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${baseUrl}",
  scenarios: {
    doomed: {
      executor: "constant-vus", vus: 4, duration: ${durationMs}, gracefulStop: "1s",
      exec: async ({ http, iteration, vu, sleep }) => {
        await http.get("/vu" + vu.id);
        await sleep("100ms");
        if (vu.id === 2 && iteration.indexInVu === 3) { ${end} }
      },
    },
  },
});`);
}

interface Doom {
  /** Code that ends the worker. */
  readonly end: string;
  readonly reason: string;
  readonly durationMs?: number;
}

/** Runs such a test, and expects that only worker 1 is lost, for a reason that contains the text. */
export async function expectLostWorker({ end, reason, durationMs = 4000 }: Doom): Promise<void> {
  const server = await startServer();
  const file = doomed(server.url, end, durationMs);
  const { exitCode, result, stdout } = await runForResult(["run", file, "--workers", "2"]);
  expect(exitCode).toBe(109);
  expect(result.verdict).toBe("errored");
  expect(result.durationMs).toBeLessThan(durationMs + 1000 + 5000);
  const [healthy, lost] = result.generator.workers;
  expect(healthy?.lost).toBeNull();
  expect(lost?.lost).toContain(reason);
  expect(lost?.lost).toContain("scenario doomed");
  expect(stdout).toContain("worker 1");
  expect(result.accounting.iterations.lost).toBeGreaterThan(0);
  expectBalanced(result);
  // The surviving worker's virtual users went on after VU 2 had ended with its fourth request.
  expect(server.counts.get("GET /vu1")).toBeGreaterThan(10);
  expect(sum(result, "sent")).toBe(server.total());
}
