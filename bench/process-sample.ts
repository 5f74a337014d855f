import { readFileSync, readdirSync } from "node:fs";

/** Linux counts CPU time in hundredths of a second, memory in pages of 4 KiB. */
const tickMs = 10;
const pageMb = 4096 / 2 ** 20;

export interface ProcessSample {
  readonly atMs: number;
  readonly rssMb: number;
  /** User and system time of all threads. */
  readonly usedMs: number;
}

/** Samples one process; null if it has ended. */
export function sampleProcess(pid: number): ProcessSample | null {
  const fields = readStat(pid);
  if (fields === null) return null;
  return { atMs: performance.now(), rssMb: Number(fields[21]) * pageMb, usedMs: ticks(fields, 11, 12) };
}

export interface TreeSample {
  /** User and system time of a process and its descendants, living or ended. */
  readonly usedMs: number;
  /** The sum of the peak memory of those that are alive. */
  readonly peakRssMb: number;
}

/** Samples a process and its descendants; zeros if it has ended. */
export function sampleTree(pid: number): TreeSample {
  const fields = readStat(pid);
  if (fields === null) return { usedMs: 0, peakRssMb: 0 };
  const own = { usedMs: ticks(fields, 11, 14), peakRssMb: readPeakMb(pid) };
  return childrenOf(pid)
    .map(sampleTree)
    .reduce(
      (sum, { usedMs, peakRssMb }) => ({
        usedMs: sum.usedMs + usedMs,
        peakRssMb: sum.peakRssMb + peakRssMb,
      }),
      own,
    );
}

/** Returns the fields of /proc/<pid>/stat after the command's name, which may contain spaces. */
function readStat(pid: number): readonly string[] | null {
  const stat = read(`/proc/${pid}/stat`);
  return stat === "" ? null : stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
}

function ticks(fields: readonly string[], first: number, last: number): number {
  return fields.slice(first, last + 1).reduce((sum, field) => sum + Number(field), 0) * tickMs;
}

function readPeakMb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Returns the text of a file; empty if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
