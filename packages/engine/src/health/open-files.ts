import { countKernelFolder, readKernelFile } from "./kernel-file.ts";

/** Parses `userLimits.open_files` of a diagnostic report; null if absent, as on Windows. */
export function parseOpenFiles(report: unknown): number | null {
  return parseLimit(property(property(property(report, "userLimits"), "open_files"), "soft"));
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function parseLimit(value: unknown): number | null {
  if (value === "unlimited") return Infinity;
  return typeof value === "number" && value > 0 ? value : null;
}

/** Parses the kernel's list of a process's limits; null if it has none for open files. */
export function parseKernelLimits(text: string): number | null {
  const [, limit = ""] = /^Max open files +(\S+)/m.exec(text) ?? [];
  return parseLimit(/^\d+$/.test(limit) ? Number(limit) : limit);
}

/**
 * Returns the number of files and connections that this process may have open at once: its soft limit, which
 * Node raises to the hard one when it starts. Infinity for no limit; null if the system does not report it.
 */
export function readOpenFilesLimit(): number | null {
  const limits = readKernelFile("/proc/self/limits");
  // The kernel's file is preferred, because a report takes milliseconds.
  return limits === null ? parseOpenFiles(makeReport()) : parseKernelLimits(limits);
}

function makeReport(): object {
  const { report } = process;
  const before: unknown = Reflect.get(report, "excludeNetwork");
  // Otherwise the report would look up the host names of all connections.
  Object.assign(report, { excludeNetwork: true });
  try {
    return report.getReport();
  } finally {
    Object.assign(report, { excludeNetwork: before });
  }
}

/** Counts the open files of this process; null if the system does not report them. */
export function countOpenFiles(): number | null {
  return countKernelFolder(process.platform === "linux" ? "/proc/self/fd" : "/dev/fd");
}
