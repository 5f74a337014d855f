import { expect, test } from "vitest";

import { diagnoseMachine, type Diagnosis } from "../../src/health/diagnose-machine.ts";
import type { MachineLimits } from "../../src/health/machine-limits.ts";

const plenty: MachineLimits = {
  cores: 8,
  hasCpuQuota: false,
  memoryBytes: 16 * 2 ** 30,
  hasMemoryLimit: false,
  openFiles: 65_535,
  localPorts: { first: 1024, last: 65_535 },
  links: [{ name: "eth0", bitsPerSecond: 1e10 }],
};

function diagnoses(
  changes: Partial<MachineLimits>,
  platform = "linux",
  { timerMs = 1.1, loadAverage = 0.2 } = {},
): Diagnosis[] {
  return diagnoseMachine({ limits: { ...plenty, ...changes }, platform, loadAverage, timerMs });
}

function lowTopics(found: readonly Diagnosis[]): string[] {
  return found.filter(({ isEnough }) => isEnough === false).map(({ topic }) => topic);
}

test("a machine with plenty of everything needs no remedy", () => {
  expect(diagnoses({}).every(({ isEnough, remedy }) => isEnough === true && remedy === null)).toBe(true);
});

test.each<[string, Partial<MachineLimits>, string, string | undefined]>([
  ["cores", { cores: 0.5, hasCpuQuota: true }, "linux", "docker run --cpus=4 …"],
  ["cores", { cores: 1 }, "linux", undefined],
  ["memory", { memoryBytes: 5e8, hasMemoryLimit: true }, "linux", "docker run --memory=4g …"],
  ["descriptors", { openFiles: 1024 }, "linux", "ulimit -n 65535"],
  ["descriptors", { openFiles: 256 }, "darwin", "sudo launchctl limit maxfiles 65535 200000"],
  [
    "local ports",
    { localPorts: { first: 60_000, last: 60_999 } },
    "linux",
    'sudo sysctl -w net.ipv4.ip_local_port_range="1024 65535"',
  ],
  [
    "local ports",
    { localPorts: { first: 49_152, last: 65_535 } },
    "darwin",
    "sudo sysctl -w net.inet.ip.portrange.first=1024",
  ],
])(
  "a shortage of %s is reported, with the command that ends it, if any: %j on %s",
  (topic, changes, platform, command) => {
    const found = diagnoses(changes, platform);
    expect(lowTopics(found)).toEqual([topic]);
    expect(found.find((one) => one.topic === topic)?.remedy?.commands[0]).toBe(command);
  },
);

test.each<[string, Partial<MachineLimits>]>([
  [
    "128 MiB, the container's limit: about 230 virtual users",
    { memoryBytes: 2 ** 27, hasMemoryLimit: true, cores: 2 },
  ],
  [
    "110 MiB, the container's limit: too little for a run",
    { memoryBytes: 110 * 2 ** 20, hasMemoryLimit: true, cores: 2 },
  ],
  ["1.0 GiB: about 26,000 virtual users", { memoryBytes: 2 ** 30, cores: 2 }],
  ["1.0 GiB: about 20,000 virtual users", { memoryBytes: 2 ** 30, cores: 9.5 }],
])("memory: %s", (finding, changes) => {
  expect(diagnoses(changes).find(({ topic }) => topic === "memory")?.finding).toBe(finding);
});

test("timers that fire late are reported", () => {
  expect(lowTopics(diagnoses({}, "linux", { timerMs: 15.6 }))).toEqual(["timers"]);
});

test("a machine that other processes keep busy is reported", () => {
  const busy = diagnoses({ cores: 2 }, "linux", { loadAverage: 1.5 });
  expect(lowTopics(busy)).toEqual(["other load"]);
  expect(busy.find(({ topic }) => topic === "other load")?.finding).toBe(
    "load average of 1.5 over the last minute",
  );
  expect(lowTopics(diagnoses({ cores: 2 }, "linux", { loadAverage: 1.3 }))).toEqual([]);
});

test("a limit that the system does not report is neither enough nor low", () => {
  const found = diagnoses({ openFiles: null, localPorts: null, links: [] }, "win32", { loadAverage: 0 });
  expect(lowTopics(found)).toEqual([]);
  expect(found.filter(({ isEnough }) => isEnough === null)).toHaveLength(4);
});
