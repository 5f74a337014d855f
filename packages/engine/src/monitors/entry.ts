import { parentPort, workerData } from "node:worker_threads";

import type { MonitorRequest } from "@bearhug/plan/monitors/monitor-kinds";
import type { ReadSource } from "@bearhug/plan/monitors/reader";
import { systemClock } from "@bearhug/plan/pacing/clock";

import type { FromMonitorsThread, MonitorsStart, ToMonitorsThread } from "./messages.ts";
import { monitorProcess } from "./process/watch-process.ts";
import { scrape } from "./prometheus/scrape.ts";
import { MonitorSampler } from "./sample-monitor.ts";

if (parentPort === null) throw new TypeError("monitors/entry.ts runs in a worker thread only");
const port = parentPort;
const send = (message: FromMonitorsThread): void => {
  port.postMessage(message);
};

// Not in the table of monitor kinds, which needs the SDK to read options: this thread does not load it.
const openers: {
  readonly [Kind in MonitorRequest["kind"]]: (order: MonitorRequest<Kind>) => ReadSource;
} = {
  monitor: (order) => scrape(order, systemClock),
  monitorPid: ({ pid }) => monitorProcess(pid, systemClock),
};

function open<Kind extends MonitorRequest["kind"]>(order: MonitorRequest<Kind>): ReadSource {
  return openers[order.kind](order);
}

// This package writes both ends of the channel.
const { orders } = workerData as MonitorsStart;
const samplers = orders.map(
  (order) =>
    new MonitorSampler(order.name, open(order), systemClock, {
      onReport: (report) => {
        send({ type: "report", report });
      },
      onMissing: (monitor, family) => {
        send({ type: "missing", monitor, family });
      },
    }),
);
port.on("message", ({ atMs }: ToMonitorsThread) => {
  for (const sampler of samplers) sampler.begin(atMs);
});
