import { cpus, freemem, totalmem } from "node:os";

import { sum } from "@bearhug/metrics/sum";
import { prometheusText, type PrometheusFamily, type PrometheusSample } from "@bearhug/text/prometheus-text";

import { readControlGroup, type ControlGroup, type ReadFile } from "../../health/control-group.ts";
import { numberIn, readKernelFile } from "../../health/kernel-file.ts";
import type { MonitoredProcess } from "../process/list-processes.ts";

/** The load of a machine, as its system reports it. Null for values that it does not report. */
export interface MachineState {
  readonly cpuTimes: readonly CpuTimes[];
  readonly memory: Memory | null;
  readonly controlGroup: ControlGroup;
  readonly openFiles: number | null;
  readonly tcpSockets: number | null;
  readonly interfaces: readonly InterfaceBytes[];
  /** An additionally watched process with its descendants; empty for none. */
  readonly processes: readonly MonitoredProcess[];
}

/** Reads the load of this machine, or of the container if its CPU or memory is limited. */
export function readMachine(processes: readonly MonitoredProcess[]): MachineState {
  return process.platform === "linux" ? readLinux(readKernelFile, processes) : readOther(processes);
}

/** Reads the load of a machine from the kernel's files on Linux. */
export function readLinux(read: ReadFile, processes: readonly MonitoredProcess[]): MachineState {
  const text = (path: string): string => read(path) ?? "";
  const sockets = ["/proc/net/sockstat", "/proc/net/sockstat6"].flatMap(
    (path) => parseTcpSockets(text(path)) ?? [],
  );
  return {
    cpuTimes: parseCpuTimes(text("/proc/stat")),
    memory: parseMemory(text("/proc/meminfo")),
    controlGroup: readControlGroup(read),
    openFiles: parseOpenFileCount(text("/proc/sys/fs/file-nr")),
    tcpSockets: sockets.length === 0 ? null : sum(sockets),
    interfaces: parseInterfaces(text("/proc/net/dev")),
    processes,
  };
}

/**
 * Reads CPU and memory as Node reports them on other systems. There, memory that caches files counts as used.
 */
function readOther(processes: readonly MonitoredProcess[]): MachineState {
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
    openFiles: null,
    tcpSockets: null,
    interfaces: [],
    processes,
  };
}

const ticksPerSecond = 100;

/**
 * In the order of the columns of `/proc/stat`. The following columns, guest times, are already included in
 * user and nice.
 */
type CpuMode = "user" | "nice" | "system" | "idle" | "iowait" | "irq" | "softirq" | "steal";

/** The seconds since boot that one core spent in each mode. */
interface CpuTimes {
  readonly cpu: string;
  readonly seconds: Readonly<Record<CpuMode, number>>;
}

/** Parses the cores of `/proc/stat`; old kernels have fewer columns. */
export function parseCpuTimes(text: string): CpuTimes[] {
  return [...text.matchAll(/^cpu(\d+) (.+)$/gm)].map(([, cpu = "", columns = ""]) => {
    const ticks = columns.trim().split(/\s+/).map(Number);
    const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = ticks.map(
      (one) => one / ticksPerSecond,
    );
    return { cpu, seconds: { user, nice, system, idle, iowait, irq, softirq, steal } };
  });
}

interface Memory {
  readonly totalBytes: number;
  readonly availableBytes: number;
}

/** Parses `/proc/meminfo`; null if it lacks a value. */
export function parseMemory(text: string): Memory | null {
  const bytesOf = (name: string): number | null => {
    const kib = numberIn(text, new RegExp(`^${name}: +(\\d+) kB$`, "m"));
    return kib === null ? null : kib * 1024;
  };
  const [totalBytes, availableBytes] = [bytesOf("MemTotal"), bytesOf("MemAvailable")];
  return totalBytes === null || availableBytes === null ? null : { totalBytes, availableBytes };
}

/** Parses the number of the machine's open files from `/proc/sys/fs/file-nr`. */
export function parseOpenFileCount(text: string): number | null {
  return numberIn(text, /^(\d+)\s+\d+\s+\d+/);
}

/** Parses the number of TCP sockets in use from `/proc/net/sockstat` or `sockstat6`. */
export function parseTcpSockets(text: string): number | null {
  return numberIn(text, /^TCP6?: inuse (\d+)/m);
}

/** The bytes that an interface has carried. */
interface InterfaceBytes {
  readonly device: string;
  readonly received: number;
  readonly sent: number;
}

/** Parses `/proc/net/dev`. */
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

/**
 * Writes Prometheus' text format, with the names of node_exporter for a machine and those of cAdvisor for a
 * container, so that their readers can read it.
 */
export function machineText(state: MachineState): string {
  const { interfaces, openFiles, tcpSockets } = state;
  const bytes = (key: "received" | "sent"): PrometheusSample[] =>
    interfaces.map((one) => ({ labels: { device: one.device }, value: one[key] }));
  return prometheusText([
    ...cpuFamilies(state),
    ...memoryFamilies(state),
    gauge("node_filefd_allocated", "Open files.", valueOf(openFiles)),
    gauge("node_sockstat_TCP_inuse", "TCP sockets in use.", valueOf(tcpSockets)),
    counter("node_network_receive_bytes_total", "Bytes received.", bytes("received")),
    counter("node_network_transmit_bytes_total", "Bytes sent.", bytes("sent")),
    ...processFamilies(state.processes),
  ]);
}

function cpuFamilies({ controlGroup: { cpu }, cpuTimes }: MachineState): PrometheusFamily[] {
  if (cpu === null) {
    const samples = cpuTimes.flatMap((one) =>
      Object.entries(one.seconds).map(([mode, value]) => ({ labels: { cpu: one.cpu, mode }, value })),
    );
    return [counter("node_cpu_seconds_total", "Seconds that cores spent in each mode.", samples)];
  }
  const used = [{ labels: { id: "/" }, value: cpu.usedSeconds }];
  return [
    gauge("machine_cpu_cores", "Cores that the container may use.", valueOf(cpu.cores)),
    counter("container_cpu_usage_seconds_total", "CPU seconds that the container used.", used),
  ];
}

function memoryFamilies({ controlGroup, memory }: MachineState): PrometheusFamily[] {
  if (controlGroup.memory === null) {
    const { totalBytes = null, availableBytes = null } = memory ?? {};
    const help = "Memory that programs can still have.";
    return [
      gauge("node_memory_MemTotal_bytes", "Memory.", valueOf(totalBytes)),
      gauge("node_memory_MemAvailable_bytes", help, valueOf(availableBytes)),
    ];
  }
  const { limitBytes, usedBytes } = controlGroup.memory;
  const used = [{ labels: { id: "/" }, value: usedBytes }];
  return [
    gauge("machine_memory_bytes", "Memory that the container may use.", valueOf(limitBytes)),
    gauge("container_memory_working_set_bytes", "Memory that the container uses.", used),
  ];
}

function processFamilies(processes: readonly MonitoredProcess[]): PrometheusFamily[] {
  const samples = (key: "cpuSeconds" | "residentBytes" | "descriptors"): PrometheusSample[] =>
    processes.flatMap((one) => valueOf(one[key], { process: one.id }));
  return [
    counter("bearhug_process_cpu_seconds_total", "CPU seconds of the process.", samples("cpuSeconds")),
    gauge("bearhug_process_resident_memory_bytes", "Memory of the process.", samples("residentBytes")),
    gauge("bearhug_process_open_fds", "Open files of the process.", samples("descriptors")),
  ];
}

function gauge(name: string, help: string, samples: readonly PrometheusSample[]): PrometheusFamily {
  return { name, type: "gauge", help, samples };
}

function counter(name: string, help: string, samples: readonly PrometheusSample[]): PrometheusFamily {
  return { name, type: "counter", help, samples };
}

function valueOf(value: number | null, labels: PrometheusSample["labels"] = {}): PrometheusSample[] {
  return value === null ? [] : [{ labels, value }];
}
