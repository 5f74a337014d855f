import { setTimeout } from "node:timers/promises";

import { expect, test, vi } from "vitest";

import { killRun } from "./kill-run.ts";
import { runBearhug } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

test("doctor describes the machine in 80 columns, asks nothing, and exits with 0", async () => {
  const { exitCode, stdout, stderr } = await runBearhug(["doctor"], undefined, { LC_ALL: "C.UTF-8" });
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toBe("");
  for (const topic of ["cores", "memory", "descriptors", "local ports", "network", "timers"]) {
    expect(stdout).toMatch(new RegExp(`^ {2}[✓!?] +${topic} +\\S`, "m"));
  }
  expect(stdout).toContain(`Node ${process.versions.node}`);
  expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("doctor names runs that were killed, and how to see their results", async () => {
  const server = await startServer();
  const killed = await killRun([server.url, "-d", "30s"], async () => {
    await vi.waitUntil(() => server.total() > 0, 60_000);
    await setTimeout(1500);
  });
  const { exitCode, stdout } = await runBearhug(["doctor"], undefined, { XDG_CACHE_HOME: killed.cache });
  expect(exitCode).toBe(0);
  expect(stdout).toContain("\nRuns that were killed or could not write a report, newest first:\n");
  expect(stdout).toContain(`  GET ${server.url}/, started `);
  expect(stdout).toContain(`    bearhug report ${killed.path}\n`);
  const other = await runBearhug(["doctor"]);
  expect(other.stdout).not.toContain("killed");
});

test("doctor is listed in the help, and refuses unknown options", async () => {
  const help = await runBearhug(["--help"]);
  expect(help.stdout).toContain("doctor");
  const refused = await runBearhug(["doctor", "--fast"]);
  expect(refused.exitCode).toBe(104);
});
