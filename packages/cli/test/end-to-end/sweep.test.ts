import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

import type { TestResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import {
  readResult,
  runForResult,
  runBearhug,
  startBearhug,
  temporaryFolder,
  writeTest,
} from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Long compared to what a busy machine adds. */
const answerMs = 80;

/** Starts a server that answers this many requests at once, and lets the others wait. */
async function startLimited(limit: number): Promise<string> {
  const waiting: (() => void)[] = [];
  let busy = 0;
  const begin = (answer: () => void): void => {
    busy++;
    setTimeout(() => {
      answer();
      busy--;
      const next = waiting.shift();
      if (next !== undefined) begin(next);
    }, answerMs);
  };
  const { url } = await startServer((_request, response) => {
    const answer = (): void => {
      response.end("hello\n");
    };
    if (busy < limit) begin(answer);
    else waiting.push(answer);
  });
  return url;
}

function stepsOf({ sweep }: TestResult): unknown[] {
  return sweep?.targets.flatMap(({ steps }) => steps.map(({ load }) => load)) ?? [];
}

test("a sweep finds the knee of a server that answers 8 requests at once, within a step", async () => {
  const url = await startLimited(8);
  const line = ["--connections", "2,4,8,16,32", "--settle", "80ms", "--measure", "480ms"];
  const { exitCode, stdout, stderr, result } = await runForResult(["sweep", url, ...line]);
  expect(exitCode).toBe(0);
  const knee = result.sweep?.targets[0]?.knee;
  expect(knee?.state).toBe("found");
  expect(knee?.load).toBeGreaterThan(4);
  expect(knee?.load).toBeLessThan(16);
  expect(stdout).toMatch(/Knee: about \d/);
  expect(stderr).toContain("bearhug: 16 connections: ");
});

test("Ctrl+C leaves the steps that were measured, and --resume continues from them", async () => {
  const url = await startLimited(8);
  const path = `${temporaryFolder()}/sweep.json`;
  const line = ["sweep", url, "--connections", "2,4", "--settle", "0s", "--measure"];
  const first = startBearhug([...line, "300ms", "--out", `json=${path}`]);
  while (!existsSync(path)) await delay(10);
  first.child.kill("SIGINT");
  const ended = await first;
  expect(ended.exitCode).toBe(105);
  const left = readResult(path, ended);
  expect(left).toMatchObject({ verdict: "interrupted", sweep: { described: { load: 2, exitCode: 0 } } });
  expect(stepsOf(left)).toEqual([{ kind: "vus", vus: 2 }]);

  const second = await runBearhug([...line, "300ms", "--resume", path]);
  expect(second.exitCode).toBe(0);
  expect(second.stderr).not.toContain("2 connections: ");
  expect(stepsOf(readResult(path, second))).toEqual([
    { kind: "vus", vus: 2 },
    { kind: "vus", vus: 4 },
  ]);
});

test("a sweep whose result cannot be written goes on, and says so once", async () => {
  const url = await startLimited(8);
  const path = `${temporaryFolder()}/${"x".repeat(300)}/sweep.json`;
  const line = ["--connections", "2,4", "--settle", "0s", "--measure", "100ms", "--out", `json=${path}`];
  const { exitCode, stdout, stderr } = await runBearhug(["sweep", url, ...line]);
  expect(stderr.match(/report not written/g)).toHaveLength(1);
  expect(stderr).toContain("bearhug: 4 connections: ");
  expect(stdout).toContain("Sweep");
  expect(exitCode).toBe(111);
});

test.each([
  'executor: "constant-arrival-rate", rate: 5, duration: "1s", maxVUs: 5',
  'executor: "ramping-arrival-rate", startRate: 1, stages: [{ duration: "1s", target: 5 }], maxVUs: 5',
  'executor: "ramping-vus", stages: [{ duration: "1s", target: 5 }]',
  'executor: "shared-iterations", iterations: 3',
  'executor: "per-vu-iterations", iterations: 3',
])("a sweep accepts a test with any load: %s", async (load) => {
  const { url } = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  scenarios: { home: { ${load}, exec: ({ http }) => http.get("/") } },
});
`);
  const options = ["sweep", file, "--measure", "300ms", "--settle", "0s"];
  expect(stepsOf((await runForResult([...options, "--vus", "2,3"])).result)).toEqual([
    { kind: "vus", vus: 2 },
    { kind: "vus", vus: 3 },
  ]);
  expect(stepsOf((await runForResult([...options, "--rate", "40"])).result)).toEqual([
    { kind: "rate", perSecond: 40 },
  ]);
});
