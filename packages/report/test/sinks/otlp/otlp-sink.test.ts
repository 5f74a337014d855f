import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import type { IntervalSeries, Reporter } from "@bearhug/sdk";
import { describe, expect, onTestFinished, test } from "vitest";

import type { OtlpOptions } from "../../../src/sinks/otlp/otlp-options.ts";
import { openOtlp } from "../../../src/sinks/otlp/otlp-sink.ts";
import { passed } from "../../results.ts";
import { snapshotOf } from "../../snapshot-of.ts";
import { counterOf, rateOf, trendOf } from "../series-of.ts";
import { accept, startCollector } from "./collector.ts";
import { percentileBounds } from "./decode-metrics.ts";

interface OpenedSink {
  readonly sink: Reporter;
  readonly record: (...series: IntervalSeries[]) => void;
  readonly warnings: readonly string[];
  readonly losses: readonly string[];
}

const usual: Omit<OtlpOptions, "url"> = {
  headers: {},
  // A busy machine takes seconds for a response; only tests without one wait for so long.
  timeoutMs: 30_000,
  intervalMs: 60_000,
  isCompressed: false,
  temporality: "cumulative",
  resource: { "service.name": "bearhug" },
};

async function open(url: string, options: Partial<OtlpOptions> = {}): Promise<OpenedSink> {
  const [warnings, losses]: [string[], string[]] = [[], []];
  const teller = { warn: (text: string) => warnings.push(text), lose: (text: string) => losses.push(text) };
  const sink = openOtlp({ ...usual, url, ...options }, teller);
  await sink.onStart?.({ test: { ...passed.test, name: "shop" }, seed: 1, plan: passed.plan });
  return {
    sink,
    warnings,
    losses,
    record: (...series) => void sink.onInterval?.(snapshotOf({ series })),
  };
}

async function urlOf(server: Server): Promise<string> {
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) return expect.fail("no port");
  return `http://127.0.0.1:${address.port}`;
}

/** Waits up to 5 s until a condition is true. */
async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; waited < 1000 && !condition(); waited++) await sleep(5);
  expect(condition()).toBe(true);
}

describe("metrics sent by OTLP", () => {
  test("are valid by the official definitions: sums, gauges and exponential histograms", async () => {
    const collector = await startCollector();
    const resource = { "service.name": "checkout", "deployment.environment": "stage" };
    const { sink, record, warnings, losses } = await open(collector.url, { resource });
    const times = Array.from({ length: 1000 }, (_, index) => (index + 1) / 10);
    record(counterOf("http_reqs", 1000, { scenario: "s" }), rateOf("checks", 1, 4));
    record({ type: "gauge", metric: "vus", unit: null, tags: {}, value: 7 });
    record(trendOf("http_req_duration", times, { scenario: "s" }), {
      ...counterOf("data_sent", 9),
      unit: "bytes",
    });
    await sink.onEnd?.(passed);
    const [{ resource: exported, scope, metrics } = expect.fail("no request")] = collector.requests;
    expect(exported).toMatchObject({ ...resource, "bearhug.test": "shop" });
    expect(exported["service.instance.id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(scope).toEqual({ name: "bearhug", version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string });
    const sum = (name: string) =>
      metrics.get(name)?.sum?.dataPoints.map((one) => [one.attributes, one.asDouble]);
    expect(sum("bearhug.http_requests")).toEqual([[{ scenario: "s" }, 1000]]);
    expect(sum("bearhug.checks")).toEqual([
      [{ condition: "true" }, 1],
      [{ condition: "false" }, 3],
    ]);
    expect(metrics.get("bearhug.vus")?.gauge?.dataPoints).toMatchObject([{ asDouble: 7 }]);
    expect(metrics.get("bearhug.data_sent")).toMatchObject({
      unit: "By",
      description: "Bytes sent, on the wire.",
    });
    const { unit, exponentialHistogram } = metrics.get("bearhug.http_request_duration") ?? {};
    const [point = expect.fail("no point")] = exponentialHistogram?.dataPoints ?? [];
    expect(unit).toBe("s");
    expect(point).toMatchObject({ count: 1000, min: 0.0001, max: 0.1, zeroCount: 0 });
    expect(point.sum).toBeCloseTo(50.05, 9);
    for (const percent of [50, 90, 95, 99, 99.9]) {
      const [above, upTo] = percentileBounds(point, percent);
      expect(percent / 1000).toBeGreaterThan(above * (1 - 1e-9));
      expect(percent / 1000).toBeLessThanOrEqual(upTo * (1 + 1e-9));
    }
    expect([warnings, losses]).toEqual([[], []]);
  });

  test("are sent with the given headers to the given path, compressed if so configured", async () => {
    const collector = await startCollector();
    const { sink, record } = await open(`${collector.url}/api/otlp`, {
      headers: { "api-key": "k" },
      isCompressed: true,
    });
    record(counterOf("pages", 1));
    await sink.onEnd?.(passed);
    expect(collector.paths).toEqual(["POST /api/otlp"]);
    expect(collector.headers[0]).toMatchObject({ "api-key": "k", "content-encoding": "gzip" });
    expect(collector.requests).toHaveLength(1);
  });

  test.each([
    ["cumulative", [2, 5], 1],
    ["delta", [2, 3], 2],
  ] as const)("are %s if so configured: %j", async (temporality, sums, starts) => {
    const collector = await startCollector();
    const { sink, record } = await open(collector.url, { temporality, intervalMs: 20 });
    record(counterOf("pages", 2));
    await until(() => collector.requests.length > 0);
    record(counterOf("pages", 3));
    await sink.onEnd?.(passed);
    const points = collector.requests.flatMap(({ metrics }) => metrics.get("bearhug.pages")?.sum ?? []);
    const exported = points.flatMap(({ dataPoints }) => dataPoints);
    expect([...new Set(exported.map(({ asDouble }) => asDouble))]).toEqual(sums);
    expect(new Set(exported.map((one) => one.startTimeUnixNano)).size).toBe(starts);
    for (const { startTimeUnixNano, timeUnixNano } of exported)
      expect(timeUnixNano).toBeGreaterThanOrEqual(startTimeUnixNano);
    expect(points[0]?.aggregationTemporality).toBe(temporality);
  });
});

describe("a collector", () => {
  test.each([429, 502, 503, 504])("that responds with %i is sent the same export again", async (status) => {
    const collector = await startCollector((response, number) => {
      if (number === 0) response.writeHead(status, { "retry-after": "0" }).end();
      else accept(response, number);
    });
    const { sink, record, warnings, losses } = await open(collector.url);
    record(counterOf("pages", 2));
    await sink.onEnd?.(passed);
    expect(collector.requests).toHaveLength(2);
    expect(collector.requests[1]).toEqual(collector.requests[0]);
    expect([warnings, losses]).toEqual([[], []]);
  });

  test("that requires a longer wait than the remaining time gets no retry", async () => {
    const collector = await startCollector((response) => {
      response.writeHead(503, { "retry-after": "3600" }).end();
    });
    const { sink, losses } = await open(collector.url);
    await sink.onEnd?.(passed);
    const { host } = new URL(collector.url);
    expect(losses).toEqual([`no OTLP export reached ${host} (it answered 503 Service Unavailable)`]);
    expect(collector.requests).toHaveLength(1);
  });

  test("that rejects exports is reported once, and gets the next export when it is due", async () => {
    const collector = await startCollector((response) => response.writeHead(400).end("no"));
    const { sink, record, warnings, losses } = await open(collector.url, { intervalMs: 10 });
    record(counterOf("pages", 2));
    await until(() => collector.requests.length >= 3);
    await sink.onEnd?.(passed);
    const { host } = new URL(collector.url);
    expect(warnings).toEqual([
      `an OTLP export to ${host} failed: it answered 400 Bad Request. The run goes on.`,
    ]);
    expect(losses).toEqual([`no OTLP export reached ${host} (it answered 400 Bad Request)`]);
  });

  test("that recovers is sent everything that it missed, even as deltas", async () => {
    let isDown = true;
    const taken = new Set<number>();
    const collector = await startCollector((response, number) => {
      if (isDown) response.writeHead(400).end();
      else {
        taken.add(number);
        accept(response, number);
      }
    });
    const { sink, record, losses } = await open(collector.url, { temporality: "delta", intervalMs: 10 });
    record(counterOf("pages", 2), trendOf("page_duration", [10]));
    await until(() => collector.requests.length >= 2);
    isDown = false;
    record(counterOf("pages", 3), trendOf("page_duration", [20]));
    await sink.onEnd?.(passed);
    // An export in flight may have delivered the first samples, and the next one the rest.
    const delivered = collector.requests.filter((_, index) => taken.has(index)).map(({ metrics }) => metrics);
    const sum = (counts: readonly (number | undefined)[]) =>
      counts.reduce<number>((total, count) => total + (count ?? 0), 0);
    const pages = delivered.map((metrics) => metrics.get("bearhug.pages")?.sum?.dataPoints[0]?.asDouble);
    expect(sum(pages)).toBe(5);
    const times = delivered.map((metrics) => metrics.get("bearhug.page_duration")?.exponentialHistogram);
    expect(sum(times.map((one) => one?.dataPoints[0]?.count))).toBe(2);
    expect(losses[0]).toMatch(/^\d+ of \d+ OTLP exports to .*; a later one delivered their samples$/);
  });

  test("that fails at the end is reported to lack the last samples", async () => {
    const collector = await startCollector((response, number) => {
      if (number > 0) response.writeHead(500).end();
      else accept(response, number);
    });
    const { sink, losses } = await open(collector.url, { intervalMs: 20 });
    await until(() => collector.requests.length > 0);
    await sink.onEnd?.(passed);
    expect(losses[0]).toMatch(
      /failed \(it answered 500 Internal Server Error\); the last samples are missing there$/,
    );
  });

  test("that accepts only a part is reported with the number of rejected data points", async () => {
    const collector = await startCollector((response) => {
      response.end('{"partialSuccess":{"rejectedDataPoints":"3","errorMessage":"too old"}}');
    });
    const { sink, losses } = await open(collector.url);
    await sink.onEnd?.(passed);
    expect(losses).toEqual([`${new URL(collector.url).host} rejected 3 data points of OTLP exports`]);
  });

  test("that never responds delays only the end, by the timeout", async () => {
    const collector = await startCollector(() => undefined);
    const { sink, losses } = await open(collector.url, { timeoutMs: 300 });
    await sink.onEnd?.(passed);
    expect(losses).toEqual([
      `no OTLP export reached ${new URL(collector.url).host} (it did not answer within 0.3 s)`,
    ]);
  });

  test("that closes the connection is reported with the reason", async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    const url = await urlOf(server);
    const { sink, losses } = await open(url, { timeoutMs: 300 });
    await sink.onEnd?.(passed);
    expect(losses[0]).toMatch(/^no OTLP export reached 127\.0\.0\.1:\d+ \(.+\)$/);
  });

  test("that does not exist is reported with the system's error message", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    const url = await urlOf(server);
    server.close();
    const { host } = new URL(url);
    const { sink, losses } = await open(url, { timeoutMs: 1000 });
    await sink.onEnd?.(passed);
    expect(losses).toEqual([`no OTLP export reached ${host} (connect ECONNREFUSED ${host})`]);
  });
});
