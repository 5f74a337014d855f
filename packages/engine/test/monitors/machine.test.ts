import type { Readings } from "@bearhug/plan/monitors/monitor";
import { parseText } from "@bearhug/plan/monitors/prometheus/parse-text";
import { describe, expect, it } from "vitest";

import { readControlGroup } from "../../src/health/control-group.ts";
import {
  machineText,
  parseCpuTimes,
  parseInterfaces,
  parseMemory,
  parseOpenFileCount,
  parseTcpSockets,
  readLinux,
} from "../../src/monitors/machine/read-machine.ts";
import { knownQuantities } from "../../src/monitors/prometheus/known-families.ts";
import { Rates } from "../../src/monitors/rates.ts";

type Files = Readonly<Record<string, string>>;

const from =
  (files: Files) =>
  (path: string): string | null =>
    files[path] ?? null;

describe("the kernel's files", () => {
  it("give each core's time by mode; time of guests is already part of user time", () => {
    const text = "cpu  30 0 0 0 0 0 0 0 0 0\ncpu0 100 20 30 400 50 6 7 8 90 0\ncpu1 1 2 3 4\nintr 5\n";
    expect(parseCpuTimes(text)).toEqual([
      {
        cpu: "0",
        seconds: {
          user: 1,
          nice: 0.2,
          system: 0.3,
          idle: 4,
          iowait: 0.5,
          irq: 0.06,
          softirq: 0.07,
          steal: 0.08,
        },
      },
      {
        cpu: "1",
        seconds: {
          user: 0.01,
          nice: 0.02,
          system: 0.03,
          idle: 0.04,
          iowait: 0,
          irq: 0,
          softirq: 0,
          steal: 0,
        },
      },
    ]);
  });

  it("give memory, files, sockets and interfaces", () => {
    expect(parseMemory("MemTotal:  100 kB\nMemFree:   5 kB\nMemAvailable:   40 kB\n")).toEqual({
      totalBytes: 102_400,
      availableBytes: 40_960,
    });
    expect(parseMemory("MemTotal: 100 kB\n")).toBeNull();
    expect(parseOpenFileCount("1553\t0\t2466170\n")).toBe(1553);
    expect(parseTcpSockets("sockets: used 78\nTCP: inuse 5 orphan 0 tw 35\nUDP: inuse 0\n")).toBe(5);
    expect(parseTcpSockets("TCP6: inuse 3\nUDP6: inuse 0\n")).toBe(3);
    const head = "Inter-|   Receive  |  Transmit\n face |bytes packets errs|bytes packets\n";
    expect(
      parseInterfaces(`${head}    lo: 10 1 0 0 0 0 0 0 20 1 0\n  eth0:300 1 0 0 0 0 0 0 400 1 0\n`),
    ).toEqual([
      { device: "lo", received: 10, sent: 20 },
      { device: "eth0", received: 300, sent: 400 },
    ]);
  });
});

describe("control groups", () => {
  it("of version 2 have a quota, a working set and a limit", () => {
    const folder = "/sys/fs/cgroup/pods/web";
    const read = from({
      "/proc/self/cgroup": "0::/pods/web\n",
      [`${folder}/cpu.max`]: "150000 100000\n",
      [`${folder}/cpu.stat`]: "usage_usec 2500000\nuser_usec 1\n",
      [`${folder}/memory.max`]: "1000\n",
      [`${folder}/memory.current`]: "700\n",
      [`${folder}/memory.stat`]: "anon 1\ninactive_file 200\n",
    });
    expect(readControlGroup(read)).toEqual({
      cpu: { cores: 1.5, usedSeconds: 2.5 },
      memory: { limitBytes: 1000, usedBytes: 500 },
    });
  });

  it("without a limit take that of the group around them", () => {
    const read = from({
      "/proc/self/cgroup": "0::/pods/web\n",
      "/sys/fs/cgroup/pods/web/cpu.max": "max 100000\n",
      "/sys/fs/cgroup/pods/web/cpu.stat": "usage_usec 1\n",
      "/sys/fs/cgroup/pods/cpu.max": "50000 100000\n",
      "/sys/fs/cgroup/pods/cpu.stat": "usage_usec 9000000\n",
    });
    expect(readControlGroup(read)).toEqual({ cpu: { cores: 0.5, usedSeconds: 9 }, memory: null });
  });

  it("have the narrowest limit of all groups around them", () => {
    const read = from({
      "/proc/self/cgroup": "0::/pods/web\n",
      "/sys/fs/cgroup/pods/web/cpu.max": "400000 100000\n",
      "/sys/fs/cgroup/pods/web/cpu.stat": "usage_usec 1000000\n",
      "/sys/fs/cgroup/pods/web/memory.max": "4000\n",
      "/sys/fs/cgroup/pods/web/memory.current": "10\n",
      "/sys/fs/cgroup/pods/cpu.max": "150000 100000\n",
      "/sys/fs/cgroup/pods/cpu.stat": "usage_usec 9000000\n",
      "/sys/fs/cgroup/pods/memory.max": "1000\n",
      "/sys/fs/cgroup/pods/memory.current": "900\n",
    });
    expect(readControlGroup(read)).toEqual({
      cpu: { cores: 1.5, usedSeconds: 9 },
      memory: { limitBytes: 1000, usedBytes: 900 },
    });
  });

  it("of version 1 are read in the folders of their controllers", () => {
    const read = from({
      "/proc/self/cgroup": "4:memory:/app\n2:cpuacct,cpu:/app\n",
      "/sys/fs/cgroup/cpu/app/cpu.cfs_quota_us": "200000\n",
      "/sys/fs/cgroup/cpu/app/cpu.cfs_period_us": "100000\n",
      "/sys/fs/cgroup/cpuacct/app/cpuacct.usage": "3000000000\n",
      "/sys/fs/cgroup/memory/app/memory.limit_in_bytes": "1000\n",
      "/sys/fs/cgroup/memory/app/memory.usage_in_bytes": "900\n",
      "/sys/fs/cgroup/memory/app/memory.stat": "total_inactive_file 100\n",
    });
    expect(readControlGroup(read)).toEqual({
      cpu: { cores: 2, usedSeconds: 3 },
      memory: { limitBytes: 1000, usedBytes: 800 },
    });
  });

  it("without limits do not count as containers", () => {
    const read = from({
      "/proc/self/cgroup": "4:memory:/\n2:cpu:/\n0::/\n",
      "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
      "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
      "/sys/fs/cgroup/cpuacct/cpuacct.usage": "3000000000\n",
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
      "/sys/fs/cgroup/memory/memory.usage_in_bytes": "900\n",
    });
    expect(readControlGroup(read)).toEqual({ cpu: null, memory: null });
  });
});

describe("the text that a machine serves", () => {
  const machine = (idle: number, user: number, received: number, group: Files = {}): Files => ({
    "/proc/stat": `cpu0 ${user} 0 0 ${idle} 0 0 0 0\n`,
    "/proc/meminfo": "MemTotal: 1000 kB\nMemAvailable: 750 kB\n",
    "/proc/sys/fs/file-nr": "12 0 99\n",
    "/proc/net/sockstat": "TCP: inuse 5 orphan 0\n",
    "/proc/net/sockstat6": "TCP6: inuse 2\n",
    "/proc/net/dev": `lo: 9 0 0 0 0 0 0 0 9\neth0: ${received} 0 0 0 0 0 0 0 7\n`,
    ...group,
  });

  /** Writes each state as text and reads it back, a second apart; returns the last readings. */
  function readBack(...states: readonly Files[]): Readings {
    const rates = new Rates();
    return states.reduce<Readings>((_, files, second) => {
      const text = machineText(readLinux(from(files), []));
      return rates.read(knownQuantities(parseText(text, () => true)), second * 1000);
    }, {});
  }

  it("gives the machine's load when it is read back", () => {
    const { cpu, ...others } = readBack(machine(1000, 500, 100), machine(1030, 590, 350));
    expect(cpu?.value).toBeCloseTo(75);
    expect(others).toEqual({
      memory: { unit: "bytes", value: 256_000 },
      memory_percent: { unit: "%", value: 25 },
      descriptors: { unit: null, value: 12 },
      sockets: { unit: null, value: 7 },
      network_received: { unit: "bytes/s", value: 250 },
      network_sent: { unit: "bytes/s", value: 0 },
    });
  });

  it("gives the container's load within its limits, if it has some", () => {
    const group = (usedMicroseconds: number): Files => ({
      "/proc/self/cgroup": "0::/\n",
      "/sys/fs/cgroup/cpu.max": "50000 100000\n",
      "/sys/fs/cgroup/cpu.stat": `usage_usec ${usedMicroseconds}\n`,
    });
    const { cpu, memory } = readBack(machine(0, 0, 0, group(100_000)), machine(0, 0, 0, group(500_000)));
    expect(cpu?.value).toBeCloseTo(80);
    expect(memory?.value).toBe(256_000);
  });

  it("gives the sum of the watched processes", () => {
    const text = (cpuSeconds: number): string =>
      machineText({
        ...readLinux(from({}), []),
        processes: [
          { id: "1 5", cpuSeconds, residentBytes: 100, descriptors: 3 },
          { id: "2 9", cpuSeconds: cpuSeconds * 2, residentBytes: 50, descriptors: null },
        ],
      });
    const rates = new Rates();
    rates.read(knownQuantities(parseText(text(1), () => true)), 0);
    expect(rates.read(knownQuantities(parseText(text(1.5), () => true)), 1000)).toEqual({
      process_cpu: { unit: "%", value: 150 },
      process_memory: { unit: "bytes", value: 150 },
      process_descriptors: { unit: null, value: 3 },
    });
  });
});
