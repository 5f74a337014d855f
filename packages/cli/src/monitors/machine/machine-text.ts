import {
  prometheusText,
  type PrometheusFamily,
  type PrometheusSample,
} from "../../format/prometheus-text.ts";
import type { ControlGroup } from "../../health/control-group.ts";
import type { CpuTimes, InterfaceBytes, Memory } from "./parse-kernel.ts";
import type { WatchedProcess } from "../process/watched-process.ts";

/** The load of a machine, as its system tells of it. Null: it does not. */
export interface MachineState {
  readonly cpuTimes: readonly CpuTimes[];
  readonly memory: Memory | null;
  readonly controlGroup: ControlGroup;
  readonly openFiles: number | null;
  readonly tcpSockets: number | null;
  readonly interfaces: readonly InterfaceBytes[];
  /** The process that is watched besides, with its descendants; empty for none. */
  readonly processes: readonly WatchedProcess[];
}

/**
 * Writes Prometheus' text format, with the names that node_exporter has for a machine and cAdvisor for a container: what
 * reads theirs can read this.
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

function processFamilies(processes: readonly WatchedProcess[]): PrometheusFamily[] {
  const of = (key: "cpuSeconds" | "residentBytes" | "descriptors"): PrometheusSample[] =>
    processes.flatMap((one) => valueOf(one[key], { process: one.id }));
  return [
    counter("bearhug_process_cpu_seconds_total", "CPU seconds of the process.", of("cpuSeconds")),
    gauge("bearhug_process_resident_memory_bytes", "Memory of the process.", of("residentBytes")),
    gauge("bearhug_process_open_fds", "Open files of the process.", of("descriptors")),
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
