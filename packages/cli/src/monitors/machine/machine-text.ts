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

type Labels = Readonly<Record<string, string>>;

/**
 * Writes Prometheus's text format, with the names that node_exporter has for a machine and cAdvisor for a container: what
 * reads theirs can read this.
 */
export function machineText(state: MachineState): string {
  const writer = new TextWriter();
  writeCpu(writer, state);
  writeMemory(writer, state);
  writer.family("node_filefd_allocated", "gauge", "Open files.", values(state.openFiles));
  writer.family("node_sockstat_TCP_inuse", "gauge", "TCP sockets in use.", values(state.tcpSockets));
  const bytes = (key: "received" | "sent"): [Labels, number][] =>
    state.interfaces.map((one) => [{ device: one.device }, one[key]]);
  writer.family("node_network_receive_bytes_total", "counter", "Bytes received.", bytes("received"));
  writer.family("node_network_transmit_bytes_total", "counter", "Bytes sent.", bytes("sent"));
  writeProcesses(writer, state.processes);
  return writer.text;
}

function writeCpu(writer: TextWriter, { controlGroup: { cpu }, cpuTimes }: MachineState): void {
  if (cpu === null) {
    const samples = cpuTimes.flatMap((one) =>
      Object.entries(one.seconds).map(([mode, seconds]): [Labels, number] => [
        { cpu: one.cpu, mode },
        seconds,
      ]),
    );
    writer.family("node_cpu_seconds_total", "counter", "Seconds that cores spent in each mode.", samples);
    return;
  }
  writer.family("machine_cpu_cores", "gauge", "Cores that the container may use.", values(cpu.cores));
  writer.family("container_cpu_usage_seconds_total", "counter", "CPU seconds that the container used.", [
    [{ id: "/" }, cpu.usedSeconds],
  ]);
}

function writeMemory(writer: TextWriter, { controlGroup, memory }: MachineState): void {
  if (controlGroup.memory === null) {
    const { totalBytes = null, availableBytes = null } = memory ?? {};
    writer.family("node_memory_MemTotal_bytes", "gauge", "Memory.", values(totalBytes));
    const help = "Memory that programs can still have.";
    writer.family("node_memory_MemAvailable_bytes", "gauge", help, values(availableBytes));
    return;
  }
  const { limitBytes, usedBytes } = controlGroup.memory;
  writer.family("machine_memory_bytes", "gauge", "Memory that the container may use.", values(limitBytes));
  writer.family("container_memory_working_set_bytes", "gauge", "Memory that the container uses.", [
    [{ id: "/" }, usedBytes],
  ]);
}

function writeProcesses(writer: TextWriter, processes: readonly WatchedProcess[]): void {
  const of = (key: "cpuSeconds" | "residentBytes" | "descriptors"): [Labels, number][] =>
    processes.flatMap((one): [Labels, number][] => {
      const value = one[key];
      return value === null ? [] : [[{ process: one.id }, value]];
    });
  writer.family(
    "bearhug_process_cpu_seconds_total",
    "counter",
    "CPU seconds of the process.",
    of("cpuSeconds"),
  );
  writer.family(
    "bearhug_process_resident_memory_bytes",
    "gauge",
    "Memory of the process.",
    of("residentBytes"),
  );
  writer.family("bearhug_process_open_fds", "gauge", "Open files of the process.", of("descriptors"));
}

function values(value: number | null): [Labels, number][] {
  return value === null ? [] : [[{}, value]];
}

class TextWriter {
  text = "";

  /** A family without samples is left out. */
  family(
    name: string,
    type: "counter" | "gauge",
    help: string,
    samples: readonly (readonly [Labels, number])[],
  ): void {
    if (samples.length === 0) return;
    this.text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const [labels, value] of samples) this.text += `${name}${writeLabels(labels)} ${value}\n`;
  }
}

function writeLabels(labels: Labels): string {
  const written = Object.entries(labels).map(([label, value]) => `${label}="${escapeLabel(value)}"`);
  return written.length === 0 ? "" : `{${written.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
