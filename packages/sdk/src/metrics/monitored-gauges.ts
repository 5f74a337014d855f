/** The gauges that every kind of monitor may have, by the part of their name after the monitor's. */
export const monitoredGauges = {
  cpu: { unit: "%", description: "CPU in use, as a share of all cores." },
  memory: { unit: "bytes", description: "Memory in use." },
  memory_percent: { unit: "%", description: "Memory in use, as a share of the whole." },
  descriptors: { unit: null, description: "Open file descriptors." },
  sockets: { unit: null, description: "TCP sockets in use." },
  network_received: { unit: "bytes/s", description: "Bytes received per second." },
  network_sent: { unit: "bytes/s", description: "Bytes sent per second." },
  process_cpu: { unit: "%", description: "CPU of the process: 100 % is one core." },
  process_memory: { unit: "bytes", description: "Resident memory of the process." },
  process_descriptors: { unit: null, description: "Open file descriptors of the process." },
} as const;

/** A gauge with the same meaning for every kind of monitor. */
export type StandardGauge = keyof typeof monitoredGauges;
