import { spawn } from "node:child_process";
import { once } from "node:events";

import { expect, onTestFinished, test } from "vitest";

import { sampleProcess, sampleTree } from "../process-sample.ts";

const isLinux = process.platform === "linux";

/** Uses CPU and memory, then waits to be killed. */
const busyChild = `
const held = Buffer.alloc(64 * 1024 * 1024, 1);
const until = performance.now() + 100;
while (performance.now() < until) held.fill(2);
console.log("done");
setInterval(() => held, 1000);
`;

test.skipIf(!isLinux)("a tree includes the CPU and memory of descendants (Linux)", async () => {
  const shell = spawn("sh", ["-c", '"$0" --eval "$1" & wait', process.execPath, busyChild], {
    detached: true,
  });
  onTestFinished(() => void process.kill(-(shell.pid ?? Number.NaN), "SIGKILL"));
  await once(shell.stdout, "data");
  const tree = sampleTree(shell.pid ?? 0);
  expect(tree.usedMs).toBeGreaterThan(0);
  expect(tree.peakRssMb).toBeGreaterThan(64);
  expect(sampleProcess(shell.pid ?? 0)?.rssMb).toBeLessThan(64);
});

test("a process that has ended uses nothing", async () => {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  expect(sampleProcess(child.pid ?? 0)).toBeNull();
  expect(sampleTree(child.pid ?? 0)).toEqual({ usedMs: 0, peakRssMb: 0 });
});
