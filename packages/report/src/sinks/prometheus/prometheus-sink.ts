import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import { systemClock } from "@bearhug/plan/pacing/clock";
import type { Reporter } from "@bearhug/sdk";
import { errorCode, errorMessage } from "@bearhug/text/caught-error";
import { prometheusTextType } from "@bearhug/text/prometheus-text";

import { listen, type ListenOptions } from "../../local-server/listen.ts";
import type { SinkListener } from "../sink-listener.ts";
import { describeFolding, Totals } from "../totals.ts";
import { ClassicBuckets } from "./classic-buckets.ts";
import { labelsOf, renderMetrics } from "./render-metrics.ts";
import { Scrapes } from "./scrapes.ts";

/** Serves the metrics of a run at `/metrics` while it lasts. Rejects if the address is not available. */
export async function openPrometheus(options: ListenOptions, listener: SinkListener): Promise<Reporter> {
  const totals = new Totals((unit) => new ClassicBuckets(unit), labelsOf);
  const scrapes = new Scrapes(systemClock);
  let test: string | null = null;
  const server = createServer((request, response) =>
    respond(request, response, () => {
      response.once("finish", scrapes.begin());
      return renderMetrics(totals, { test });
    }),
  );
  const listening = await listen(server, options).catch((error: unknown) => {
    // Not thrown as a cause: its message would follow the sentence, which already says it.
    throw new Error(describeRefusal(error, options));
  });
  return {
    wantsSeries: true,
    onStart: (run) => {
      test = run.test.name;
      listener.warn(`serving metrics for Prometheus at ${listening.url}/metrics`);
    },
    onInterval: ({ series = [] }) => totals.add(series),
    onEnd: async ({ verdict }) => {
      if (totals.hasFolded) listener.lose(describeFolding);
      await awaitLastScrape(scrapes, verdict === "interrupted", listener);
      await listening.close();
    },
  };
}

async function awaitLastScrape(scrapes: Scrapes, isHurried: boolean, listener: SinkListener): Promise<void> {
  const waitMs = scrapes.patienceMs;
  if (waitMs === null) {
    listener.lose("Prometheus did not scrape any metrics during the run");
    return;
  }
  const seconds = Math.ceil(waitMs / 1000);
  if (!isHurried) listener.warn(`waiting up to ${seconds} s for Prometheus to scrape the last figures`);
  if (isHurried || !(await scrapes.next(waitMs)))
    listener.lose("Prometheus did not scrape /metrics after the load, so it lacks the last figures");
}

function describeRefusal(error: unknown, { host, port }: ListenOptions): string {
  const code = errorCode(error);
  if (code === "EADDRINUSE")
    return `port ${port} of ${host} is in use. Choose another one: --out prometheus=${host}:${port + 1}.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all of its addresses.`;
  return errorMessage(error);
}

function respond(request: IncomingMessage, response: ServerResponse, render: () => string): void {
  const isKnown = request.url?.split("?")[0] === "/metrics";
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isKnown && isRead) response.writeHead(200, { "content-type": prometheusTextType }).end(render());
  else if (isKnown) response.writeHead(405, { allow: "GET, HEAD" }).end();
  else response.writeHead(404, { "content-type": "text/plain" }).end("The metrics are at /metrics.\n");
}
