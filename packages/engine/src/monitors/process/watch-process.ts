import type { Quantity } from "@bearhug/plan/monitors/quantity";
import { type ReadSource, UnreadableSource } from "@bearhug/plan/monitors/reader";
import type { Clock } from "@bearhug/plan/pacing/clock";

import { listProcesses, type MonitoredProcess } from "./list-processes.ts";

/** Reads a process of this machine and all of its descendants. */
export function monitorProcess(
  pid: number,
  clock: Clock,
  list: typeof listProcesses = listProcesses,
): ReadSource {
  let watched: string | null = null;
  return async (signal) => {
    const processes = await list(pid, signal);
    const [root] = processes;
    if (root === undefined)
      throw new UnreadableSource(watched === null ? "there is no such process" : "the process has ended");
    watched ??= root.id;
    if (root.id !== watched) throw new UnreadableSource("the process has ended; another has its number now");
    return { quantities: processQuantities(processes), atMs: clock.now(), missing: [] };
  };
}

/** Returns the quantities of all processes, which are added up later. */
function processQuantities(processes: readonly MonitoredProcess[]): Quantity[] {
  return processes.flatMap(({ id, cpuSeconds, residentBytes, descriptors }): Quantity[] => [
    {
      kind: "counter",
      gauge: "process_cpu",
      unit: "%",
      series: id,
      value: cpuSeconds * 100,
      countedAtMs: null,
    },
    ...(residentBytes === null
      ? []
      : [{ kind: "level", gauge: "process_memory", unit: "bytes", value: residentBytes } as const]),
    ...(descriptors === null
      ? []
      : [{ kind: "level", gauge: "process_descriptors", unit: null, value: descriptors } as const]),
  ]);
}
