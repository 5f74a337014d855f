/** One line of `ps -A -o pid=,ppid=,time=,rss=`. */
export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** Reads the list; lines that cannot be read are left out. Times are `[[dd-]hh:]mm:ss[.cc]`. */
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

/** A process and all that descend from it; empty if it is not in the list. */
export function familyOf(pid: number, all: readonly ListedProcess[]): ListedProcess[] {
  const byParent = Map.groupBy(all, ({ parent }) => parent);
  const found = all.filter((one) => one.pid === pid);
  // The list grows while it is walked.
  for (const { pid: of } of found) found.push(...(byParent.get(of) ?? []).filter((one) => one.pid !== of));
  return found;
}
