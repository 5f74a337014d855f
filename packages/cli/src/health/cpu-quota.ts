import { cpuFolders, parseCfsQuota, parseCpuMax, parseCpuStat, type Throttling } from "./cgroup.ts";
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

/** How often these groups stopped the process; null where none of them tells. The one that did so most stands for all. */
export function readThrottling(folders: readonly string[]): Throttling | null {
  const known = folders.flatMap((folder) => parseCpuStat(readKernelFile(`${folder}/cpu.stat`) ?? "") ?? []);
  return known.reduce<Throttling | null>(
    (worst, one) => (worst === null || one.throttledPeriods > worst.throttledPeriods ? one : worst),
    null,
  );
}
