import { sumBy } from "@bearhug/metrics/sum";
import { hasName } from "@bearhug/plan/monitors/prometheus/chosen-family";
import { type PrometheusSample, type Scrape, seriesOf } from "@bearhug/plan/monitors/prometheus/parse-text";
import type { Quantity } from "@bearhug/plan/monitors/quantity";

/**
 * Finds the gauges of servers in an exporter's samples: node_exporter, cAdvisor, `bearhug monitor`, or the
 * application itself.
 */
export function knownQuantities({ samples }: Scrape): Quantity[] {
  const find = (name: string, labels: Readonly<Record<string, string>> = {}): PrometheusSample[] =>
    samples.filter(hasName(name, labels));
  const quantities = [...nodeQuantities(find), ...cadvisorQuantities(find), ...watchedQuantities(find)];
  // If there are any, `process_…` describes the exporter's own process, not the server's.
  return quantities.length > 0 ? quantities : applicationQuantities(find);
}

type Find = (name: string, labels?: Readonly<Record<string, string>>) => PrometheusSample[];

/** The families that `knownQuantities` reads. */
export const knownFamilies: ReadonlySet<string> = new Set([
  "node_cpu_seconds_total",
  "node_memory_MemTotal_bytes",
  "node_memory_MemAvailable_bytes",
  "node_filefd_allocated",
  "node_sockstat_TCP_inuse",
  "node_sockstat_TCP6_inuse",
  "node_network_receive_bytes_total",
  "node_network_transmit_bytes_total",
  "machine_cpu_cores",
  "machine_memory_bytes",
  "container_cpu_usage_seconds_total",
  "container_memory_working_set_bytes",
  "container_network_receive_bytes_total",
  "container_network_transmit_bytes_total",
  "process_cpu_seconds_total",
  "process_resident_memory_bytes",
  "process_open_fds",
  "bearhug_process_cpu_seconds_total",
  "bearhug_process_resident_memory_bytes",
  "bearhug_process_open_fds",
]);

/** Reads the machine from node_exporter. */
function nodeQuantities(find: Find): Quantity[] {
  return [
    ...cpuByMode(find("node_cpu_seconds_total")),
    ...memory(sum(find("node_memory_MemTotal_bytes")), sum(find("node_memory_MemAvailable_bytes"))),
    ...levels("descriptors", find("node_filefd_allocated")),
    ...levels("sockets", [...find("node_sockstat_TCP_inuse"), ...find("node_sockstat_TCP6_inuse")]),
    ...growth("network_received", "bytes/s", find("node_network_receive_bytes_total").filter(isPhysical)),
    ...growth("network_sent", "bytes/s", find("node_network_transmit_bytes_total").filter(isPhysical)),
  ];
}

/** Reads the machine from cAdvisor's root container, or the container that `bearhug monitor` runs in. */
function cadvisorQuantities(find: Find): Quantity[] {
  const root = { id: "/" };
  const cores = sum(find("machine_cpu_cores"));
  const whole = sum(find("machine_memory_bytes"));
  const used = sum(find("container_memory_working_set_bytes", root));
  // CPU seconds are a share of the machine only if its cores are known.
  const usage = find("container_cpu_usage_seconds_total", root).flatMap((sample) =>
    cores === null || cores <= 0 ? [] : { ...sample, value: (sample.value / cores) * 100 },
  );
  return [
    ...growth("cpu", "%", usage),
    ...(whole === null || used === null ? [] : memory(whole, whole - used)),
    ...growth(
      "network_received",
      "bytes/s",
      find("container_network_receive_bytes_total", root).filter(isPhysical),
    ),
    ...growth(
      "network_sent",
      "bytes/s",
      find("container_network_transmit_bytes_total", root).filter(isPhysical),
    ),
  ];
}

/** Reads the application's own process from the families that all Prometheus clients have. */
function applicationQuantities(find: Find): Quantity[] {
  return processFamilies(find, "");
}

/** Reads the process that `bearhug monitor --pid` watches. */
function watchedQuantities(find: Find): Quantity[] {
  return processFamilies(find, "bearhug_");
}

function processFamilies(find: Find, prefix: string): Quantity[] {
  const cpu = find(`${prefix}process_cpu_seconds_total`);
  return [
    ...growth(
      "process_cpu",
      "%",
      cpu.map((sample) => ({ ...sample, value: sample.value * 100 })),
    ),
    ...levels("process_memory", find(`${prefix}process_resident_memory_bytes`), "bytes"),
    ...levels("process_descriptors", find(`${prefix}process_open_fds`)),
  ];
}

/**
 * A core that waits for a disk is idle. Time that the hypervisor stole counts as busy: the machine could not
 * have done more.
 */
const idleModes: readonly unknown[] = ["idle", "iowait"];

function cpuByMode(samples: readonly PrometheusSample[]): Quantity[] {
  return [...Map.groupBy(samples, ({ labels }) => labels["cpu"] ?? "")].map(([series, modes]) => {
    const busy = modes.filter(({ labels }) => !idleModes.includes(labels["mode"]));
    return { kind: "share", gauge: "cpu", series, part: sum(busy) ?? 0, whole: sum(modes) ?? 0 };
  });
}

/** Computes used memory as `free` does: memory that caches files counts as available. */
function memory(total: number | null, available: number | null): Quantity[] {
  if (total === null || available === null || total === 0) return [];
  const used = total - available;
  return [
    { kind: "level", gauge: "memory", unit: "bytes", value: used },
    { kind: "level", gauge: "memory_percent", unit: "%", value: (used / total) * 100 },
  ];
}

function levels(
  gauge: string,
  samples: readonly PrometheusSample[],
  unit: "bytes" | null = null,
): Quantity[] {
  return samples.map(({ value }) => ({ kind: "level", gauge, unit, value }));
}

function growth(gauge: string, unit: "%" | "bytes/s", samples: readonly PrometheusSample[]): Quantity[] {
  return samples.map((sample) => ({
    kind: "counter",
    gauge,
    unit,
    series: seriesOf(sample),
    value: sample.value,
    countedAtMs: sample.timestampMs,
  }));
}

/**
 * Matches interfaces whose bytes a network card also carries, which would count twice. A dot separates a card
 * from a VLAN.
 */
const virtualInterface =
  /^(lo|veth|docker|podman|br-|virbr|vmbr|cni|cali|cilium|lxc|flannel|vxlan|tunl|tun|tap|wg|tailscale|ifb|dummy|bond|team|vnet|vlan|macvlan|ovs|kube-|nodelocaldns)|\./;

/** True for a physical interface. Its label is `device` in node_exporter and `interface` in cAdvisor. */
function isPhysical({ labels }: PrometheusSample): boolean {
  return !virtualInterface.test(labels["device"] ?? labels["interface"] ?? "");
}

function sum(samples: readonly PrometheusSample[]): number | null {
  return samples.length === 0 ? null : sumBy(samples, ({ value }) => value);
}
