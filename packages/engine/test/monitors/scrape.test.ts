import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { gzipSync } from "node:zlib";

import type { ChosenFamily } from "@bearhug/plan/monitors/prometheus/chosen-family";
import type { ReadSource } from "@bearhug/plan/monitors/reader";
import { describe, expect, it, onTestFinished } from "vitest";

import { scrape } from "../../src/monitors/prometheus/scrape.ts";
import { FakeClock } from "../../../plan/test/pacing/fake-clock.ts";

/** Starts an exporter that responds with `respond`, and returns its reader. */
async function reader(respond: RequestListener, chosen: readonly ChosenFamily[] = []): Promise<ReadSource> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new TypeError("no port");
  const url = `http://127.0.0.1:${address.port}/metrics`;
  return scrape({ name: "server", source: url, url, authorization: null, chosen }, new FakeClock());
}

const signal = new AbortController().signal;

describe("an exporter", () => {
  it("that responds in OpenMetrics gives its timestamps in seconds", async () => {
    const read = await reader((_, response) => {
      response.setHeader("content-type", "application/openmetrics-text; version=1.0.0; charset=utf-8");
      response.end("process_cpu_seconds_total 12 1395066363.5\n# EOF\n");
    });
    expect((await read(signal)).quantities).toEqual([
      expect.objectContaining({ gauge: "process_cpu", countedAtMs: 1_395_066_363_500 }),
    ]);
  });

  it("is asked for uncompressed text, and a compressed response is an error that says so", async () => {
    const encodings: unknown[] = [];
    const read = await reader((request, response) => {
      encodings.push(request.headers["accept-encoding"]);
      response.setHeader("content-encoding", "gzip");
      response.end(gzipSync("process_cpu_seconds_total 12\n"));
    });
    await expect(read(signal)).rejects.toThrow(
      "it answered in gzip, which was not asked for: turn off its compression",
    );
    expect(encodings).toEqual(["identity"]);
  });

  it("without a chosen family or its labels is read with a list of what is missing", async () => {
    const chosen = [
      { gauge: "absent", family: "absent", labels: {} },
      { gauge: "sms", family: "queue_depth", labels: { queue: "sms" } },
    ];
    const read = await reader((_, response) => {
      response.end('queue_depth{queue="mail"} 7\nprocess_cpu_seconds_total 12\n');
    }, chosen);
    expect((await read(signal)).missing).toEqual(["absent", 'queue_depth{queue="sms"}']);
  });
});
