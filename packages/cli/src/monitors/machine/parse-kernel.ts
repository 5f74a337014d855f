const ticksPerSecond = 100;

/** In the order of the columns of `/proc/stat`. Time of guests, which follows, is part of user and nice already. */
type CpuMode = "user" | "nice" | "system" | "idle" | "iowait" | "irq" | "softirq" | "steal";

/** Seconds since the boot that one core spent in each mode. */
export interface CpuTimes {
  readonly cpu: string;
  readonly seconds: Readonly<Record<CpuMode, number>>;
}

/** Reads the cores of `/proc/stat`; old kernels have fewer columns. */
export function parseCpuTimes(text: string): CpuTimes[] {
  return [...text.matchAll(/^cpu(\d+) (.+)$/gm)].map(([, cpu = "", columns = ""]) => {
    const ticks = columns.trim().split(/\s+/).map(Number);
    const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = ticks.map(
      (one) => one / ticksPerSecond,
    );
    return { cpu, seconds: { user, nice, system, idle, iowait, irq, softirq, steal } };
  });
}

export interface Memory {
  readonly totalBytes: number;
  readonly availableBytes: number;
}

/** Reads `/proc/meminfo`; null where it does not tell. */
export function parseMemory(text: string): Memory | null {
  const bytesOf = (name: string): number | null => {
    const [, kib] = new RegExp(`^${name}: +(\\d+) kB$`, "m").exec(text) ?? [];
    return kib === undefined ? null : Number(kib) * 1024;
  };
  const [totalBytes, availableBytes] = [bytesOf("MemTotal"), bytesOf("MemAvailable")];
  return totalBytes === null || availableBytes === null ? null : { totalBytes, availableBytes };
}

/** Open files of the machine, from `/proc/sys/fs/file-nr`. */
export function parseOpenFiles(text: string): number | null {
  const [, allocated] = /^(\d+)\s+\d+\s+\d+/.exec(text) ?? [];
  return allocated === undefined ? null : Number(allocated);
}

/** TCP sockets in use, from `/proc/net/sockstat` or `sockstat6`. */
export function parseTcpSockets(text: string): number | null {
  const [, inUse] = /^TCP6?: inuse (\d+)/m.exec(text) ?? [];
  return inUse === undefined ? null : Number(inUse);
}

/** Bytes that an interface has carried. */
export interface InterfaceBytes {
  readonly device: string;
  readonly received: number;
  readonly sent: number;
}

/** Reads `/proc/net/dev`. */
export function parseInterfaces(text: string): InterfaceBytes[] {
  return text.split("\n").flatMap((line) => {
    const [, device, columns = ""] = /^\s*([^:\s]+):(.*)$/.exec(line) ?? [];
    const numbers = columns.trim().split(/\s+/).map(Number);
    const [received = Number.NaN] = numbers;
    const sent = numbers[8] ?? Number.NaN;
    if (device === undefined || Number.isNaN(received) || Number.isNaN(sent)) return [];
    return [{ device, received, sent }];
  });
}
