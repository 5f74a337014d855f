/** How often a container's CPU quota stopped the process, since the container was started. */
export interface Throttling {
  /** Periods of the quota in which the process ran. */
  readonly periods: number;
  readonly throttledPeriods: number;
  readonly throttledMs: number;
}

const root = "/sys/fs/cgroup";

/**
 * Where the limits of the process's CPU stand, by `/proc/self/cgroup`: its own folder, then those around it. Inside a
 * container the path is often the host's, and only the last of them, the root, is there.
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
