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
const send = (message: FromMonitorsThread): void => port.postMessage(message);

// Not in the table of monitor kinds, which needs the SDK to read options: this thread does not load it.
const openers: {
  readonly [Kind in MonitorRequest["kind"]]: (request: MonitorRequest<Kind>) => ReadSource;
} = {
  monitor: (request) => scrape(request, systemClock),
  monitorPid: ({ pid }) => monitorProcess(pid, systemClock),
};

function open<Kind extends MonitorRequest["kind"]>(request: MonitorRequest<Kind>): ReadSource {
  return openers[request.kind](request);
}

// This package writes both ends of the channel.
const { requests } = workerData as MonitorsStart;
const samplers = requests.map(
  (request) =>
    new MonitorSampler(request.name, open(request), systemClock, {
      onReport: (report) => send({ type: "report", report }),
      onMissing: (monitor, family) => send({ type: "missing", monitor, family }),
    }),
);
port.on("message", ({ atMs }: ToMonitorsThread) => {
  for (const sampler of samplers) sampler.begin(atMs);
});
send({ type: "ready" });
