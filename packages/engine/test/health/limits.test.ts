import { describe, expect, test } from "vitest";

import { groupFolders, parseCfsQuota, parseCpuMax, parseCpuStat } from "../../src/health/control-group.ts";
import { parsePortRange, portCount } from "../../src/health/local-ports.ts";
import { readMachineLimits } from "../../src/health/machine-limits.ts";
import { parseLinkSpeed } from "../../src/health/network-links.ts";
import { countOpenFiles, parseKernelLimits, parseOpenFiles } from "../../src/health/open-files.ts";

describe("a container's CPU", () => {
  test("is limited by the process's own control group and its parents, in version 1 and 2", () => {
    expect(groupFolders("0::/system.slice/docker-1.scope\n", "cpu")).toEqual([
      "/sys/fs/cgroup/system.slice/docker-1.scope",
      "/sys/fs/cgroup/system.slice",
      "/sys/fs/cgroup",
    ]);
    expect(groupFolders("9:name=systemd:/x\n4:cpu,cpuacct:/docker/1\n1:cpuset:/\n", "cpu")).toEqual([
      "/sys/fs/cgroup/cpu/docker/1",
      "/sys/fs/cgroup/cpu/docker",
      "/sys/fs/cgroup/cpu",
    ]);
    expect(groupFolders("", "cpu")).toEqual([]);
  });

  test("is limited by a quota for each period, or not at all", () => {
    expect(parseCpuMax("150000 100000\n")).toBe(1.5);
    expect(parseCpuMax("max 100000\n")).toBeNull();
    expect(parseCpuMax("")).toBeNull();
    expect(parseCfsQuota("50000\n", "100000\n")).toBe(0.5);
    expect(parseCfsQuota("-1\n", "100000\n")).toBeNull();
    expect(parseCfsQuota("50000", "0")).toBeNull();
  });

  test("is reported with its throttled periods and time, in version 1 and 2", () => {
    const lines = "usage_usec 900\nnr_periods 20\nnr_throttled 7\nthrottled_usec 350000\n";
    expect(parseCpuStat(lines)).toEqual({ periods: 20, throttledPeriods: 7, throttledMs: 350 });
    expect(parseCpuStat("nr_periods 20\nnr_throttled 7\nthrottled_time 350000000\n")).toEqual({
      periods: 20,
      throttledPeriods: 7,
      throttledMs: 350,
    });
    expect(parseCpuStat("usage_usec 900\nuser_usec 1\n")).toBeNull();
  });
});

test.each([
  [{ soft: 1024, hard: 4096 }, 1024],
  [{ soft: "unlimited", hard: "unlimited" }, Infinity],
  [{ soft: "?", hard: 4096 }, null],
  [undefined, null],
])("the report's limit of open files, %j, is read as %j", (openFiles, limit) => {
  expect(parseOpenFiles({ userLimits: { open_files: openFiles } })).toBe(limit);
});

test("a report without limits, as on Windows, has no limit of open files", () => {
  expect(parseOpenFiles({})).toBeNull();
  expect(parseOpenFiles(null)).toBeNull();
});

test("the limit of open files is read from the kernel's list of a process's limits", () => {
  const listed = (soft: string, hard: string): string =>
    `Limit                     Soft Limit           Hard Limit           Units     \nMax processes             96365                96365                processes \nMax open files            ${soft.padEnd(20)} ${hard.padEnd(20)} files     \n`;
  expect(parseKernelLimits(listed("1024", "524288"))).toBe(1024);
  expect(parseKernelLimits(listed("unlimited", "unlimited"))).toBe(Infinity);
  expect(parseKernelLimits("")).toBeNull();
});

test("local ports are a range of two numbers", () => {
  expect(parsePortRange("32768\t60999\n")).toEqual({ first: 32_768, last: 60_999 });
  expect(parsePortRange("49152\n65535\n")).toEqual({ first: 49_152, last: 65_535 });
  for (const text of ["", "1024", "9 1", "1 2 3", "a b", "0 70000"]) expect(parsePortRange(text)).toBeNull();
  expect(portCount({ first: 1024, last: 65_535 })).toBe(64_512);
});

test("a link's speed is read in Mbit/s; -1 or an empty text means unknown", () => {
  expect(parseLinkSpeed("1000\n")).toBe(1e9);
  expect(parseLinkSpeed("-1\n")).toBeNull();
  expect(parseLinkSpeed("")).toBeNull();
});

test("this machine has cores, memory, and limits that hold for this process", () => {
  const { cores, memoryBytes, openFiles, localPorts } = readMachineLimits();
  expect(cores).toBeGreaterThan(0);
  expect(memoryBytes).toBeGreaterThan(process.memoryUsage.rss());
  if (process.platform !== "linux") return;
  expect(countOpenFiles()).toBeLessThan(openFiles!);
  expect(localPorts).not.toBeNull();
});
