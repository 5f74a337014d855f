import { spawn } from "node:child_process";
import { once } from "node:events";

import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import {
  familyOf,
  listProcesses,
  parseChildren,
  parseProcessStat,
  parsePs,
  parseResidentBytes,
} from "../../src/monitors/process/list-processes.ts";
import { monitorProcess } from "../../src/monitors/process/watch-process.ts";
import { FakeClock } from "../../../plan/test/pacing/fake-clock.ts";

const never = new AbortController().signal;

describe("a process in /proc", () => {
  it("is read whatever its program is called", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(1e9), fc.nat(1e9), (name, user, system) => {
        const fields = `S 1 1 1 0 -1 0 0 0 0 0 ${user} ${system} 7 7 20 0 1 0 4711 0 0`;
        const stat = parseProcessStat(`123 (${name}) ${fields}`);
        expect(stat).toEqual({
          cpuSeconds: (user + system) / 100,
          startedTicks: 4711,
          isZombie: false,
        });
      }),
    );
  });

  it("is null if its file is gone", () => {
    expect(parseProcessStat("")).toBeNull();
  });

  it("is read with its memory and children", () => {
    expect(parseResidentBytes("Name:\tx\nVmRSS:\t   21984 kB\n")).toBe(21_984 * 1024);
    expect(parseResidentBytes("Name:\tkthreadd\n")).toBeNull();
    expect(parseChildren("12 345 ")).toEqual([12, 345]);
    expect(parseChildren("")).toEqual([]);
  });
});

describe("the list of ps", () => {
  it("is read with the time formats of macOS and Linux", () => {
    expect(parsePs("    1     0   0:03.20  1024\n  77  1 01:02:03 8\n  78 77 2-00:00:01 8\nnone\n")).toEqual([
      { pid: 1, parent: 0, cpuSeconds: 3.2, residentBytes: 1_048_576 },
      { pid: 77, parent: 1, cpuSeconds: 3723, residentBytes: 8192 },
      { pid: 78, parent: 77, cpuSeconds: 172_801, residentBytes: 8192 },
    ]);
  });

  it("gives a process with all its descendants", () => {
    const one = (pid: number, parent: number) => ({ pid, parent, cpuSeconds: 0, residentBytes: 0 });
    const all = [one(1, 0), one(5, 1), one(6, 5), one(7, 6), one(8, 1), one(0, 0)];
    expect(familyOf(5, all).map(({ pid }) => pid)).toEqual([5, 6, 7]);
    expect(familyOf(0, all)).toHaveLength(6);
    expect(familyOf(99, all)).toEqual([]);
  });
});

it("a process is read with its children, and cannot be read once it has ended", async () => {
  // The grandchild prints once it runs: before that it may be a copy of its parent that has loaded nothing.
  const script =
    "require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6); console.log(1)'], { stdio: 'inherit' }); setInterval(() => {}, 1e6)";
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  await once(child.stdout, "data");
  const pid = child.pid ?? 0;
  const processes = await listProcesses(pid, never);
  onTestFinished(() => {
    const [, grandchild = ""] = processes.map(({ id }) => id);
    process.kill(Number.parseInt(grandchild, 10), "SIGKILL");
  });
  expect(processes).toHaveLength(2);
  for (const one of processes) {
    expect(one.residentBytes).toBeGreaterThan(1e6);
    expect(one.cpuSeconds).toBeGreaterThanOrEqual(0);
  }
  child.kill("SIGKILL");
  await once(child, "exit");
  const read = monitorProcess(pid, new FakeClock());
  await expect(read(never)).rejects.toThrow("there is no such process");
});

it("a later process with the same id is not taken for the watched one", async () => {
  const starts = ["7 100", "7 100", "7 900"];
  const read = monitorProcess(7, new FakeClock(), () =>
    Promise.resolve(
      starts.splice(0, 1).map((id) => ({ id, cpuSeconds: 1, residentBytes: 2, descriptors: null })),
    ),
  );
  await expect(read(never)).resolves.toMatchObject({ quantities: [{ series: "7 100" }, { value: 2 }] });
  await expect(read(never)).resolves.toMatchObject({ missing: [] });
  await expect(read(never)).rejects.toThrow("the process has ended; another has its number now");
  await expect(read(never)).rejects.toThrow(/^the process has ended$/);
});
