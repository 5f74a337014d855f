import { expect, test } from "vitest";

import { expectBalanced, sum } from "./expect-balanced.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** One of two workers comes to a bad end in VU 2; VUs 1 and 3 are the other's. */
function doomed(baseUrl: string, end: string, durationMs = 4000): string {
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
  readonly name: string;
  readonly end: string;
  readonly reason: string;
  readonly durationMs: number;
}

const dooms: readonly Doom[] = [
  { name: "process.exit()", end: "process.exit(3);", reason: "process.exit(3)", durationMs: 4000 },
  { name: "an endless loop", end: "for (;;) {}", reason: "blocked", durationMs: 4000 },
  {
    name: "a heap overflow",
    // With fetch in its code, a worker may have the larger heap.
    end: "const hoard: unknown[] = [fetch]; for (;;) hoard.push(new Array(1e6).fill(hoard.length));",
    reason: "heap",
    // Filling more than a gigabyte takes seconds on a busy machine.
    durationMs: 20_000,
  },
];

test.for(dooms)(
  "$name in a scenario ends in time, names the worker, keeps the other's results",
  { timeout: 60_000 },
  async (doom) => {
    const server = await startServer();
    const { exitCode, result, stdout } = await runForResult([
      "run",
      doomed(server.url, doom.end, doom.durationMs),
      "--workers",
      "2",
    ]);
    expect(exitCode).toBe(109);
    expect(result.verdict).toBe("errored");
    expect(result.durationMs).toBeLessThan(doom.durationMs + 1000 + 5000);
    const [healthy, lost] = result.generator.workers;
    expect(healthy?.lost).toBeNull();
    expect(lost?.lost).toContain(doom.reason);
    expect(lost?.lost).toContain("scenario doomed");
    expect(stdout).toContain("worker 1");
    expect(result.accounting.iterations.lost).toBeGreaterThan(0);
    expectBalanced(result);
    // The living worker's virtual users went on, when VU 2 had ended after four requests.
    expect(server.counts.get("GET /vu1")).toBeGreaterThan(10);
    expect(sum(result, "sent")).toBe(server.total());
  },
);

test("a worker that leaves much garbage is not lost", { timeout: 60_000 }, async () => {
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

test("a promise that never settles is interrupted at the stop", async () => {
  const server = await startServer();
  const file = doomed(server.url, "await new Promise(() => undefined);");
  const { exitCode, result } = await runForResult(["run", file, "--workers", "2"]);
  expect(exitCode).toBe(0);
  expect(result.accounting.iterations.interrupted).toBe(1);
  expectBalanced(result);
}, 60_000);

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
