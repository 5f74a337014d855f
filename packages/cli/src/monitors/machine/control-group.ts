/** Reads one of the kernel's small files; null where there is none. */
export type ReadFile = (path: string) => string | null;

/** The part of a machine that a container may use, and what it uses of that. */
export interface ControlGroup {
  /** Null without a quota. */
  readonly cpu: { readonly cores: number; readonly usedSeconds: number } | null;
  /** Null without a limit. */
  readonly memory: { readonly limitBytes: number; readonly usedBytes: number } | null;
}

const root = "/sys/fs/cgroup";

/** The narrowest limits of the control groups around a process, of version 1 or 2. */
export function readControlGroup(read: ReadFile): ControlGroup {
  const paths = pathsOf(read("/proc/self/cgroup") ?? "");
  return {
    cpu:
      first(paths.unified, (folder) => cpuOf(read, folder)) ??
      first(paths.cpu, (path) => oldCpuOf(read, path)),
    memory:
      first(paths.unified, (folder) => memoryOf(read, folder)) ??
      first(paths.memory, (path) => oldMemoryOf(read, path)),
  };
}

interface Paths {
  /** Folders of version 2; the others are below the controllers of version 1. */
  readonly unified: readonly string[];
  readonly cpu: readonly string[];
  readonly memory: readonly string[];
}

/** A container often sees the host's path, and only the last folder, the root, exists. */
function pathsOf(selfGroup: string): Paths {
  const paths: Record<keyof Paths, string[]> = { unified: [], cpu: [], memory: [] };
  for (const line of selfGroup.split("\n")) {
    const [, controllers, path = ""] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined) continue;
    if (controllers === "") paths.unified.push(...upwards(root, path));
    if (controllers.split(",").includes("cpu")) paths.cpu.push(...upwards("", path));
    if (controllers.split(",").includes("memory")) paths.memory.push(...upwards("", path));
  }
  return paths;
}

function upwards(mount: string, path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "");
  return Array.from({ length: parts.length + 1 }, (_, gone) =>
    [mount, ...parts.slice(0, parts.length - gone)].join("/"),
  );
}

function first<Found>(paths: readonly string[], find: (path: string) => Found | null): Found | null {
  for (const path of paths) {
    const found = find(path);
    if (found !== null) return found;
  }
  return null;
}

function cpuOf(read: ReadFile, folder: string): ControlGroup["cpu"] {
  const [quota, period = 100_000] = (read(`${folder}/cpu.max`) ?? "").trim().split(" ").map(Number);
  const usedMicroseconds = fieldOf(read(`${folder}/cpu.stat`), "usage_usec");
  if (!isLimit(quota) || usedMicroseconds === null) return null;
  return { cores: quota / period, usedSeconds: usedMicroseconds / 1e6 };
}

function oldCpuOf(read: ReadFile, path: string): ControlGroup["cpu"] {
  const quota = numberIn(read(`${root}/cpu${path}/cpu.cfs_quota_us`));
  const period = numberIn(read(`${root}/cpu${path}/cpu.cfs_period_us`));
  const usedNanoseconds = numberIn(read(`${root}/cpuacct${path}/cpuacct.usage`));
  if (!isLimit(quota) || !isLimit(period) || usedNanoseconds === null) return null;
  return { cores: quota / period, usedSeconds: usedNanoseconds / 1e9 };
}

function memoryOf(read: ReadFile, folder: string): ControlGroup["memory"] {
  const limitBytes = numberIn(read(`${folder}/memory.max`));
  const usedBytes = numberIn(read(`${folder}/memory.current`));
  const cacheBytes = fieldOf(read(`${folder}/memory.stat`), "inactive_file");
  return describeMemory(limitBytes, usedBytes, cacheBytes);
}

function oldMemoryOf(read: ReadFile, path: string): ControlGroup["memory"] {
  const folder = `${root}/memory${path}`;
  const limitBytes = numberIn(read(`${folder}/memory.limit_in_bytes`));
  const usedBytes = numberIn(read(`${folder}/memory.usage_in_bytes`));
  const cacheBytes = fieldOf(read(`${folder}/memory.stat`), "total_inactive_file");
  // Version 1 writes the greatest number of pages for no limit.
  return limitBytes !== null && limitBytes > 2 ** 60
    ? null
    : describeMemory(limitBytes, usedBytes, cacheBytes);
}

/** Cached files that nobody used of late are given back before memory runs out: the working set is without them. */
function describeMemory(
  limitBytes: number | null,
  usedBytes: number | null,
  cacheBytes: number | null,
): ControlGroup["memory"] {
  if (!isLimit(limitBytes) || usedBytes === null) return null;
  return { limitBytes, usedBytes: Math.max(0, usedBytes - (cacheBytes ?? 0)) };
}

function isLimit(value: number | null | undefined): value is number {
  return value !== null && value !== undefined && Number.isFinite(value) && value > 0;
}

/** "max" stands for no limit. */
function numberIn(text: string | null): number | null {
  const trimmed = text?.trim() ?? "";
  return /^-?\d+$/.test(trimmed) ? Number(trimmed) : null;
}

function fieldOf(text: string | null, name: string): number | null {
  const [, value] = new RegExp(`^${name} (\\d+)$`, "m").exec(text ?? "") ?? [];
  return value === undefined ? null : Number(value);
}
