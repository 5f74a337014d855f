import { cpus, freemem, totalmem } from "node:os";

import type { WatchedProcess } from "../process/watched-process.ts";
import { readControlGroup, type ReadFile } from "../../health/control-group.ts";
import { readKernelFile } from "../../health/kernel-file.ts";
import type { MachineState } from "./machine-text.ts";
import {
  parseCpuTimes,
  parseInterfaces,
  parseMemory,
  parseOpenFiles,
  parseTcpSockets,
  type CpuTimes,
} from "./parse-kernel.ts";

/** Reads the load of this machine; of a container, where its CPU or memory is limited. */
export function readMachine(processes: readonly WatchedProcess[]): MachineState {
  return process.platform === "linux" ? readLinux(readKernelFile, processes) : readOther(processes);
}

/** The same from the kernel's files. */
export function readLinux(read: ReadFile, processes: readonly WatchedProcess[]): MachineState {
  const text = (path: string): string => read(path) ?? "";
  const sockets = ["/proc/net/sockstat", "/proc/net/sockstat6"].flatMap(
    (path) => parseTcpSockets(text(path)) ?? [],
  );
  return {
    cpuTimes: parseCpuTimes(text("/proc/stat")),
    memory: parseMemory(text("/proc/meminfo")),
    controlGroup: readControlGroup(read),
    openFiles: parseOpenFiles(text("/proc/sys/fs/file-nr")),
    tcpSockets: sockets.length === 0 ? null : sockets.reduce((sum, one) => sum + one, 0),
    interfaces: parseInterfaces(text("/proc/net/dev")),
    processes,
  };
}

/** Other systems tell Node of CPU and memory. What they use to cache files counts as used there. */
function readOther(processes: readonly WatchedProcess[]): MachineState {
  const cpuTimes = cpus().map(({ times }, index): CpuTimes => {
    const [user, nice, system] = [times.user / 1000, times.nice / 1000, times.sys / 1000];
    const [idle, irq] = [times.idle / 1000, times.irq / 1000];
    return {
      cpu: String(index),
      seconds: { user, nice, system, idle, irq, iowait: 0, softirq: 0, steal: 0 },
    };
  });
  return {
    cpuTimes,
    memory: { totalBytes: totalmem(), availableBytes: freemem() },
    controlGroup: { cpu: null, memory: null },
    ...{ openFiles: null, tcpSockets: null, interfaces: [] },
    processes,
  };
}
