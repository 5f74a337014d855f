import type { ProcessResult } from "@bearhug/sdk/result";
import { expect, test } from "vitest";

import { diagnoseProcess, diagnoseQueue } from "../../src/health/diagnose-process.ts";
import { processOf } from "./process-of.ts";

function verdictOf(changes: Partial<ProcessResult>): { severity: string; reason: string } {
  const findings = [...diagnoseProcess(processOf(changes), true), ...diagnoseQueue(processOf(changes), true)];
  expect(findings.length).toBeLessThanOrEqual(1);
  return findings[0] ?? { severity: "healthy", reason: "" };
}

const gigabit = { name: "eth0", bitsPerSecond: 1e9 };
const periods = { periods: 100, throttledMs: 900 };
const unknown = { cores: 2, memoryMb: 1000, openFiles: null, localPorts: null };

test.each<[string, Partial<ProcessResult>, string, string]>([
  ["CPU below its bound", { cpuCores: 1.79 }, "healthy", ""],
  ["CPU near the available cores", { cpuCores: 1.85 }, "strained", "used 1.85 of 2 cores"],
  ["all of the CPU", { cpuCores: 1.96 }, "saturated", "used 1.96 of 2 cores"],
  ["CPU that only waited for arrivals", { cpuCores: 1.98, waitingCores: 1.2 }, "healthy", ""],
  [
    "half a core when no more is available",
    { cpuCores: 0.5, limits: { ...unknown, cores: 0.5 } },
    "saturated",
    "0.5 cores",
  ],
  ["threads that seldom waited for a core", { cpuCores: 0.71, queuedThreads: 0.08 }, "healthy", ""],
  ["as many threads ready as cores free", { cpuCores: 1, queuedThreads: 0.6 }, "healthy", ""],
  [
    "a core shared with another process",
    { cpuCores: 0.3, queuedThreads: 0.4 },
    "strained",
    "had the CPU for 57 % of the time",
  ],
  [
    "a core shared with three busy loops",
    { cpuCores: 0.19, queuedThreads: 1.16 },
    "saturated",
    "give the generator cores of its own",
  ],
  ["little work that waited for little time", { cpuCores: 0.02, queuedThreads: 0.09 }, "healthy", ""],
  ["a system that does not count waiting threads", { cpuCores: 0.02 }, "healthy", ""],
  ["a quota that was not reached", { throttling: { ...periods, throttledPeriods: 0 } }, "healthy", ""],
  [
    "a quota reached at times",
    { throttling: { ...periods, throttledPeriods: 3 } },
    "strained",
    "3 % of its periods",
  ],
  [
    "a quota reached often",
    { throttling: { ...periods, throttledPeriods: 40 } },
    "saturated",
    "raise the quota",
  ],
  ["memory below its bound", { peakMemoryMb: 849 }, "healthy", ""],
  ["memory near its limit", { peakMemoryMb: 850 }, "strained", "850 of 1000 MiB"],
  ["memory at its limit", { peakMemoryMb: 950 }, "saturated", "give it more"],
  ["descriptors that are nearly used up", { peakOpenFiles: 900 }, "strained", "ulimit -n"],
  ["descriptors without a known limit", { peakOpenFiles: 9e9, limits: unknown }, "healthy", ""],
  ["descriptors that were not counted", { peakOpenFiles: null }, "healthy", ""],
  ["ports that are nearly used up", { peakConnections: 25_200 }, "strained", "local ports"],
  ["a link with room", { link: { ...gigabit, peakBitsPerSecond: 799e6 } }, "healthy", ""],
  [
    "a link that fills",
    { link: { ...gigabit, peakBitsPerSecond: 870e6 } },
    "strained",
    "870 Mbit/s of the 1000 Mbit/s",
  ],
  ["a full link", { link: { ...gigabit, peakBitsPerSecond: 980e6 } }, "saturated", "interface eth0"],
  [
    "a path whose speed the user gave",
    { link: { name: null, bitsPerSecond: 1e8, peakBitsPerSecond: 9.7e7 } },
    "saturated",
    "--link",
  ],
])("%s", (_title, changes, severity, excerpt) => {
  const finding = verdictOf(changes);
  expect(finding.severity).toBe(severity);
  expect(finding.reason).toContain(excerpt);
});

test("connections to several addresses may outnumber the local ports", () => {
  expect(diagnoseProcess(processOf({ peakConnections: 27_999 }), false)).toEqual([]);
});

test("a core shared with other processes saturates a generator that was late, and only strains one that was not", () => {
  const used = processOf({ cpuCores: 0.05, queuedThreads: 0.22 });
  expect(diagnoseQueue(used, false).map(({ severity }) => severity)).toEqual(["strained"]);
  expect(diagnoseQueue(used, true).map(({ severity }) => severity)).toEqual(["saturated"]);
});
