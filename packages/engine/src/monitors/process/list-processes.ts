import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { countKernelFolder, listKernelFolder, numberIn, readKernelFile } from "../../health/kernel-file.ts";

/** One of the processes that are watched together. */
export interface MonitoredProcess {
  /** Distinguishes it from a later process with the same pid. */
  readonly id: string;
  readonly cpuSeconds: number;
  /** Null if the system does not report it. */
  readonly residentBytes: number | null;
  readonly descriptors: number | null;
}

/** Servers fork a few workers. Reading more processes than this would cost more than it is worth. */
const maxProcesses = 256;

/**
 * Lists a process of this machine and all of its descendants, because servers often leave the work to
 * children.
 */
export function listProcesses(pid: number, signal: AbortSignal): Promise<MonitoredProcess[]> {
  return process.platform === "linux" ? Promise.resolve(listByProc(pid)) : listByPs(pid, signal);
}

/** Reads the kernel's files synchronously, because they never block. */
function listByProc(pid: number): MonitoredProcess[] {
  const found: MonitoredProcess[] = [];
  const pids = [pid];
  for (const one of pids) {
    const folder = `/proc/${one}`;
    const stat = parseProcessStat(readKernelFile(`${folder}/stat`) ?? "");
    if (stat === null || stat.isZombie) continue;
    found.push({
      id: `${one} ${stat.startedTicks}`,
      cpuSeconds: stat.cpuSeconds,
      residentBytes: parseResidentBytes(readKernelFile(`${folder}/status`)),
      descriptors: countKernelFolder(`${folder}/fd`),
    });
    if (pids.length >= maxProcesses) continue;
    for (const thread of listKernelFolder(`${folder}/task`))
      pids.push(...parseChildren(readKernelFile(`${folder}/task/${thread}/children`) ?? ""));
  }
  return found;
}

async function listByPs(pid: number, signal: AbortSignal): Promise<MonitoredProcess[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,time=,rss="], { signal });
  return familyOf(pid, parsePs(stdout)).map(({ pid: id, cpuSeconds, residentBytes }) => ({
    id: String(id),
    cpuSeconds,
    residentBytes,
    descriptors: null,
  }));
}

/** The kernel reports process times in hundredths of a second, whatever its own tick is. */
const ticksPerSecond = 100;

/** A process, as described by `/proc/PID/stat`. */
interface ProcessStat {
  readonly cpuSeconds: number;
  /** The start time in ticks since boot, because pids are reused. */
  readonly startedTicks: number;
  readonly isZombie: boolean;
}

/**
 * Parses `/proc/PID/stat`; null for other text. The program's name may itself contain spaces and parentheses.
 */
export function parseProcessStat(text: string): ProcessStat | null {
  const fields = text
    .slice(text.lastIndexOf(")") + 1)
    .trim()
    .split(/\s+/);
  const [state = ""] = fields;
  const numberAt = (field: number): number => Number(fields[field - 3]);
  const cpuSeconds = (numberAt(14) + numberAt(15)) / ticksPerSecond;
  const startedTicks = numberAt(22);
  if (!Number.isFinite(cpuSeconds) || !Number.isFinite(startedTicks)) return null;
  return { cpuSeconds, startedTicks, isZombie: state === "Z" || state === "X" };
}

/** Parses resident memory from `/proc/PID/status`; null if it is absent. */
export function parseResidentBytes(status: string | null): number | null {
  const kib = numberIn(status, /^VmRSS:\s+(\d+) kB$/m);
  return kib === null ? null : kib * 1024;
}

/** Parses `/proc/PID/task/TID/children`. */
export function parseChildren(text: string): number[] {
  return text.split(/\s+/).flatMap((pid) => (/^\d+$/.test(pid) ? [Number(pid)] : []));
}

/** One line of `ps -A -o pid=,ppid=,time=,rss=`. */
interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** Parses the list, without lines that cannot be read. Times are `[[dd-]hh:]mm:ss[.cc]`. */
export function parsePs(text: string): ListedProcess[] {
  return text.split("\n").flatMap((line) => {
    const [, pid, parent, time = "", kib] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\d+)\s*$/.exec(line) ?? [];
    const cpuSeconds = parseTime(time);
    if (pid === undefined || parent === undefined || kib === undefined || cpuSeconds === null) return [];
    return [{ pid: Number(pid), parent: Number(parent), cpuSeconds, residentBytes: Number(kib) * 1024 }];
  });
}

function parseTime(text: string): number | null {
  const [, days = "0", hours = "0", minutes, seconds] =
    /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (minutes === undefined || seconds === undefined) return null;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** Returns a process and all of its descendants; empty if it is not in the list. */
export function familyOf(pid: number, all: readonly ListedProcess[]): ListedProcess[] {
  const byParent = Map.groupBy(all, ({ parent }) => parent);
  const found = all.filter((one) => one.pid === pid);
  // The list grows while it is iterated.
  for (const { pid: of } of found) found.push(...(byParent.get(of) ?? []).filter((one) => one.pid !== of));
  return found;
}
