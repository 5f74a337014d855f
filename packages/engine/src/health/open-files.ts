import { listKernelFolder, readKernelFile } from "./kernel-file.ts";

/** The number of files and connections a process may have open at once; Infinity for no limit. */
export interface OpenFilesLimit {
  /** The limit in force: Node raises it to `hard` when it starts. */
  readonly soft: number;
  /** The limit that only an administrator may raise. */
  readonly hard: number;
}

/** Parses `userLimits.open_files` of a diagnostic report; null if absent, as on Windows. */
export function parseOpenFiles(report: unknown): OpenFilesLimit | null {
  const limits = property(property(report, "userLimits"), "open_files");
  const [soft, hard] = [parseLimit(property(limits, "soft")), parseLimit(property(limits, "hard"))];
  return soft === null || hard === null ? null : { soft, hard };
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function parseLimit(value: unknown): number | null {
  if (value === "unlimited") return Infinity;
  return typeof value === "number" && value > 0 ? value : null;
}

/** Parses the kernel's list of a process's limits; null if it has none for open files. */
export function parseKernelLimits(text: string): OpenFilesLimit | null {
  const [, ...limits] = /^Max open files +(\S+) +(\S+)/m.exec(text) ?? [];
  const [soft = null, hard = null] = limits.map((limit) =>
    parseLimit(/^\d+$/.test(limit) ? Number(limit) : limit),
  );
  return soft === null || hard === null ? null : { soft, hard };
}

export function readOpenFilesLimit(): OpenFilesLimit | null {
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
  const names = listKernelFolder(process.platform === "linux" ? "/proc/self/fd" : "/dev/fd");
  return names.length === 0 ? null : names.length;
}
