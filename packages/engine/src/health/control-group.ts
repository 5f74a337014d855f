import { numberIn, readKernelFile } from "./kernel-file.ts";

/** Reads one of the kernel's small files; null where there is none. */
export type ReadFile = (path: string) => string | null;

/** The part of a machine that a container may use, and its usage. */
export interface ControlGroup {
  /** Null without a quota. */
  readonly cpu: { readonly cores: number; readonly usedSeconds: number } | null;
  /** Null without a limit. */
  readonly memory: { readonly limitBytes: number; readonly usedBytes: number } | null;
}

/** Throttling by a container's CPU quota since the container started. */
export interface Throttling {
  /** Periods of the quota in which the process ran. */
  readonly periods: number;
  readonly throttledPeriods: number;
  readonly throttledMs: number;
}

/** Reads the lowest limits of the control groups (version 1 or 2) that contain this process. */
export function readControlGroup(read: ReadFile): ControlGroup {
  const self = read("/proc/self/cgroup") ?? "";
  const cpu = groupFolders(self, "cpu").flatMap((folder) => cpuOf(read, folder) ?? []);
  const memory = groupFolders(self, "memory").flatMap((folder) => memoryOf(read, folder) ?? []);
  return {
    cpu: cpu.toSorted((one, other) => one.cores - other.cores)[0] ?? null,
    memory: memory.toSorted((one, other) => one.limitBytes - other.limitBytes)[0] ?? null,
  };
}

/** Returns the folders of the control groups that limit this process's CPU. */
export function findCpuFolders(): string[] {
  return groupFolders(readKernelFile("/proc/self/cgroup") ?? "", "cpu");
}

/** Returns the lowest CPU quota of these groups, in cores; null for no quota. */
export function readCpuQuota(folders: readonly string[]): number | null {
  const quotas = folders.flatMap((folder) => quotaOf(readKernelFile, folder) ?? []);
  return quotas.length === 0 ? null : Math.min(...quotas);
}

/** Returns the throttling of the group that throttled the process most; null if none has a quota. */
export function readThrottling(folders: readonly string[]): Throttling | null {
  const known = folders.flatMap((folder) => parseCpuStat(readKernelFile(`${folder}/cpu.stat`) ?? "") ?? []);
  return known.reduce<Throttling | null>(
    (worst, one) => (worst === null || one.throttledPeriods > worst.throttledPeriods ? one : worst),
    null,
  );
}

const root = "/sys/fs/cgroup";

/**
 * Returns the folders with a process's limits of one kind, from `/proc/self/cgroup`: its own group's, then
 * its parents'. Inside a container the path is often the host's, and only the last folder, the root, exists.
 */
export function groupFolders(selfCgroup: string, controller: "cpu" | "memory"): string[] {
  return selfCgroup.split("\n").flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) return [];
    if (controllers === "") return upwards(root, path);
    return controllers.split(",").includes(controller) ? upwards(`${root}/${controller}`, path) : [];
  });
}

function upwards(mount: string, path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "");
  return Array.from({ length: parts.length + 1 }, (_, gone) =>
    [mount, ...parts.slice(0, parts.length - gone)].join("/"),
  );
}

function quotaOf(read: ReadFile, folder: string): number | null {
  const max = read(`${folder}/cpu.max`);
  if (max !== null) return parseCpuMax(max);
  const quota = read(`${folder}/cpu.cfs_quota_us`);
  const period = read(`${folder}/cpu.cfs_period_us`);
  return quota === null || period === null ? null : parseCfsQuota(quota, period);
}

/** Parses a `cpu.max` (version 2) to a number of cores; null for no limit. */
export function parseCpuMax(text: string): number | null {
  const [quota = "", period = "100000"] = text.trim().split(/\s+/);
  return coresOf(quota, period);
}

/** Parses `cpu.cfs_quota_us` and `cpu.cfs_period_us` (version 1) to a number of cores; null for no limit. */
export function parseCfsQuota(quota: string, period: string): number | null {
  return coresOf(quota.trim(), period.trim());
}

/** Returns null for "max", and for −1 in version 1: both stand for no limit. */
function coresOf(quota: string, period: string): number | null {
  const cores = Number(quota) / Number(period);
  return /^\d+$/.test(quota) && Number.isFinite(cores) && cores > 0 ? cores : null;
}

/** Parses a `cpu.stat`; null if it has no quota. Version 1 counts in nanoseconds. */
export function parseCpuStat(text: string): Throttling | null {
  const periods = fieldOf(text, "nr_periods");
  const throttledPeriods = fieldOf(text, "nr_throttled");
  if (periods === null || throttledPeriods === null) return null;
  const throttledMs =
    (fieldOf(text, "throttled_usec") ?? 0) / 1e3 + (fieldOf(text, "throttled_time") ?? 0) / 1e6;
  return { periods, throttledPeriods, throttledMs };
}

function cpuOf(read: ReadFile, folder: string): ControlGroup["cpu"] {
  const cores = quotaOf(read, folder);
  const usedMicroseconds = fieldOf(read(`${folder}/cpu.stat`), "usage_usec");
  // Version 1 has the usage in another controller.
  const usedNanoseconds = amountIn(read(`${folder.replace(`${root}/cpu`, `${root}/cpuacct`)}/cpuacct.usage`));
  if (cores === null || (usedMicroseconds === null && usedNanoseconds === null)) return null;
  return {
    cores,
    usedSeconds: usedMicroseconds === null ? (usedNanoseconds ?? 0) / 1e9 : usedMicroseconds / 1e6,
  };
}

/** Reads memory usage without inactive cached files, which the kernel frees before memory runs out. */
function memoryOf(read: ReadFile, folder: string): ControlGroup["memory"] {
  const stat = read(`${folder}/memory.stat`);
  const limitBytes =
    amountIn(read(`${folder}/memory.max`)) ?? amountIn(read(`${folder}/memory.limit_in_bytes`));
  const usedBytes =
    amountIn(read(`${folder}/memory.current`)) ?? amountIn(read(`${folder}/memory.usage_in_bytes`));
  // "max" stands for no limit; in version 1, the greatest possible number of pages does.
  if (limitBytes === null || limitBytes <= 0 || limitBytes > 2 ** 60 || usedBytes === null) return null;
  const cacheBytes = fieldOf(stat, "total_inactive_file") ?? fieldOf(stat, "inactive_file") ?? 0;
  return { limitBytes, usedBytes: Math.max(0, usedBytes - cacheBytes) };
}

function amountIn(text: string | null): number | null {
  return numberIn(text, /^\s*(-?\d+)\s*$/);
}

function fieldOf(text: string | null, name: string): number | null {
  return numberIn(text, new RegExp(`^${name} (\\d+)$`, "m"));
}
