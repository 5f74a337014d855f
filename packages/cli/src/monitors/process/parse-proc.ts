/** The kernel counts times of processes in hundredths of a second, whatever its own tick is. */
const ticksPerSecond = 100;

/** A process, as `/proc/PID/stat` tells of it. */
export interface ProcessStat {
  readonly cpuSeconds: number;
  /** When it started, in ticks since the boot: numbers of processes are given again. */
  readonly startedTicks: number;
  readonly isZombie: boolean;
}

/** Reads `/proc/PID/stat`; null where that is none. The program's name may hold spaces and parentheses itself. */
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

/** The memory that it occupies, from `/proc/PID/status`; null where that does not tell. */
export function parseResidentBytes(status: string): number | null {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kib === undefined ? null : Number(kib) * 1024;
}

/** Reads `/proc/PID/task/TID/children`. */
export function parseChildren(text: string): number[] {
  return text.split(/\s+/).flatMap((pid) => (/^\d+$/.test(pid) ? [Number(pid)] : []));
}
