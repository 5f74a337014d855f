import { parentPort, workerData } from "node:worker_threads";

import { systemClock } from "../pacing/clock.ts";
import type { FromMonitorsThread, MonitorsStart, ToMonitorsThread } from "./messages.ts";
import { openSource } from "./monitor-kinds.ts";
import { MonitorSampler } from "./sample-monitor.ts";

if (parentPort === null) throw new TypeError("monitors/entry.ts runs in a worker thread only");
const port = parentPort;
const tell = (message: FromMonitorsThread): void => {
  port.postMessage(message);
};

// This package writes both ends of the channel.
const { orders } = workerData as MonitorsStart;
const samplers = await Promise.all(
  orders.map(async (order) => {
    const read = await openSource(order, systemClock);
    return new MonitorSampler(order.name, read, systemClock, {
      onReport: (report) => {
        tell({ type: "report", report });
      },
      onMissing: (monitor, family) => {
        tell({ type: "missing", monitor, family });
      },
    });
  }),
);
port.on("message", ({ atMs }: ToMonitorsThread) => {
  for (const sampler of samplers) sampler.begin(atMs);
});
