import { readKernelFile } from "./kernel-file.ts";

/** The folders of the control groups that bound this process's CPU. */
export function findCpuFolders(): string[] {
  return cpuFolders(readKernelFile("/proc/self/cgroup") ?? "");
}

/** Cores that the narrowest of these groups allows; null for no quota. */
export function readCpuQuota(folders: readonly string[]): number | null {
  const quotas = folders.flatMap((folder) => quotaOf(folder) ?? []);
  return quotas.length === 0 ? null : Math.min(...quotas);
}

function quotaOf(folder: string): number | null {
  const max = readKernelFile(`${folder}/cpu.max`);
  if (max !== null) return parseCpuMax(max);
  const quota = readKernelFile(`${folder}/cpu.cfs_quota_us`);
  const period = readKernelFile(`${folder}/cpu.cfs_period_us`);
  return quota === null || period === null ? null : parseCfsQuota(quota, period);
}

/** Returns the throttling of the group that stopped the process most; null if none has a quota. */
export function readThrottling(folders: readonly string[]): Throttling | null {
  const known = folders.flatMap((folder) => parseCpuStat(readKernelFile(`${folder}/cpu.stat`) ?? "") ?? []);
  return known.reduce<Throttling | null>(
    (worst, one) => (worst === null || one.throttledPeriods > worst.throttledPeriods ? one : worst),
    null,
  );
}

/** Throttling by a container's CPU quota since the container started. */
export interface Throttling {
  /** Periods of the quota in which the process ran. */
  readonly periods: number;
  readonly throttledPeriods: number;
  readonly throttledMs: number;
}

const root = "/sys/fs/cgroup";

/**
 * Returns the folders with the process's CPU limits, from `/proc/self/cgroup`: its own, then those around it. Inside a
 * container the path is often the host's, and only the last folder, the root, exists.
 */
export function cpuFolders(selfCgroup: string): string[] {
  return selfCgroup.split("\n").flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) return [];
    if (controllers === "") return upwards(root, path);
    return controllers.split(",").includes("cpu") ? upwards(`${root}/cpu`, path) : [];
  });
}

function upwards(mount: string, path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "");
  return Array.from({ length: parts.length + 1 }, (_, gone) =>
    [mount, ...parts.slice(0, parts.length - gone)].join("/"),
  );
}

/** Cores that a `cpu.max` (version 2) allows; null for no limit. */
export function parseCpuMax(text: string): number | null {
  const [quota = "", period = "100000"] = text.trim().split(/\s+/);
  return coresOf(quota, period);
}

/** Cores that `cpu.cfs_quota_us` and `cpu.cfs_period_us` (version 1) allow; null for no limit. */
export function parseCfsQuota(quota: string, period: string): number | null {
  return coresOf(quota.trim(), period.trim());
}

/** "max", and −1 in version 1, stand for no limit. */
function coresOf(quota: string, period: string): number | null {
  const cores = Number(quota) / Number(period);
  return /^\d+$/.test(quota) && Number.isFinite(cores) && cores > 0 ? cores : null;
}

/** Reads a `cpu.stat`; null where it tells of no quota. Version 1 counts in nanoseconds. */
export function parseCpuStat(text: string): Throttling | null {
  const values = new Map(
    text.split("\n").flatMap((line): [string, number][] => {
      const [, name, value] = /^(\w+) (\d+)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, Number(value)]];
    }),
  );
  const periods = values.get("nr_periods");
  const throttledPeriods = values.get("nr_throttled");
  if (periods === undefined || throttledPeriods === undefined) return null;
  const throttledMs = (values.get("throttled_usec") ?? 0) / 1e3 + (values.get("throttled_time") ?? 0) / 1e6;
  return { periods, throttledPeriods, throttledMs };
}
