import type { MetricDelta } from "@bearhug/metrics/accumulator";
import type { MetricRegistry } from "@bearhug/metrics/registry";
import { SnapshotTaker } from "@bearhug/metrics/snapshot";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { testCatalog } from "../../../metrics/test/catalog-of.ts";
import { phases, request, rootScope, sample } from "../../../metrics/test/root-scope.ts";

/** Merges the metrics of all series, no two of which have a metric in common. */
function allMetrics(registry: MetricRegistry): Record<string, MetricDelta> {
  const all = new SnapshotTaker(registry).take().map(({ metrics }) => metrics);
  return Object.assign({}, ...all) as Record<string, MetricDelta>;
}

describe("the series of requests", () => {
  test("distinguishes requests by name, method, status and whether they were expected", () => {
    const { root, registry, requests } = rootScope();
    const variants = [
      [request, true],
      [request, false],
      [{ ...request, status: 500 }, false],
      [{ ...request, method: "POST" }, true],
      [{ ...request, name: "GET /a" }, true],
      [{ ...request, status: 0 }, false],
    ] as const;
    for (const [key, isExpected] of variants) requests.of(root, key, isExpected).record(sample);
    for (const [key, isExpected] of variants) requests.of(root, key, isExpected).record(sample);
    const series = new SnapshotTaker(registry).take();
    expect(series).toHaveLength(variants.length);
    for (const { metrics } of series) {
      expect(metrics["http_reqs"]).toEqual({ type: "counter", total: 2, samples: 2 });
    }
    expect(series[0]?.tags).toEqual({
      scenario: "readers",
      name: "GET /",
      method: "GET",
      status: "200",
      protocol: "HTTP/1.1",
      expected_response: "true",
    });
    expect(series.at(-1)?.tags).not.toHaveProperty("protocol");
  });

  test("never counts a request in the series of another one", () => {
    const key = fc.record({
      name: fc.constantFrom("GET /", "GET /a"),
      method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"),
      status: fc.constantFrom(0, 1, 200, 201, 264, 520),
      protocol: fc.constantFrom("HTTP/1.1", "HTTP/2"),
      isExpected: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(key, { size: "large" }), (keys) => {
        const { root, requests } = rootScope();
        const made = keys.map((one) => requests.of(root, one, one.isExpected));
        const kinds = keys.map((one) => JSON.stringify(one));
        for (const [index, series] of made.entries()) expect(series).toBe(made[kinds.indexOf(kinds[index]!)]);
        expect(new Set(made).size).toBe(new Set(kinds).size);
      }),
      { numRuns: 20 },
    );
  });

  test("distinguishes requests of HTTP/1.1 and HTTP/2", () => {
    const { root, registry, requests } = rootScope();
    for (const protocol of ["HTTP/1.1", "HTTP/2"])
      requests.of(root, { ...request, protocol }, true).record(sample);
    const series = new SnapshotTaker(registry).take();
    expect(series.map(({ tags }) => tags?.["protocol"])).toEqual(["HTTP/1.1", "HTTP/2"]);
  });
});

describe("a request's sample", () => {
  test("without phases counts as a request but is no latency", () => {
    const { root, registry, requests } = rootScope();
    requests.of(root, { ...request, status: 0 }, false).record({
      ...sample,
      hasFailed: true,
      isCutOff: false,
      hasWaited: true,
      hasReceived: true,
      bytesSent: 0,
    });
    const [delta] = new SnapshotTaker(registry).take();
    expect(Object.keys(delta?.metrics ?? {}).sort()).toEqual([
      "data_received",
      "http_req_failed",
      "http_reqs",
    ]);
  });

  /** Returns the phases that have a sample, and those of them whose sample is a lower bound. */
  function phasesOf(changes: Partial<typeof sample>): { reported: string[]; bounds: string[] } {
    const { root, registry, requests } = rootScope();
    requests.of(root, request, true).record({ ...sample, ...changes, phases });
    const trends = Object.entries(allMetrics(registry)).flatMap(([name, delta]) =>
      delta.type === "trend" ? [{ name: name.slice("http_req_".length), ...delta }] : [],
    );
    const names = (some: typeof trends): string[] => some.map(({ name }) => name).sort();
    return { reported: names(trends), bounds: names(trends.filter(({ censored }) => censored !== null)) };
  }

  test.each([
    { hasWaited: false, hasReceived: false, without: ["receiving", "waiting"], last: "sending" },
    { hasWaited: true, hasReceived: false, without: ["receiving"], last: "waiting" },
    { hasWaited: true, hasReceived: true, without: [], last: "receiving" },
  ])("that was cut off while $last is a lower bound in that phase and in its duration", (row) => {
    const { without, last, ...reached } = row;
    const all = phasesOf({});
    expect(all.bounds).toEqual([]);
    const { reported, bounds } = phasesOf({ ...reached, isCutOff: true });
    expect(all.reported.filter((name) => !reported.includes(name))).toEqual(without);
    expect(bounds).toEqual(["duration", "response_time", last].sort());
  });

  test("without bytes sent or received counts none", () => {
    const { root, registry, requests } = rootScope();
    requests.of(root, request, true).record({ ...sample, bytesSent: 0, bytesReceived: 0 });
    const [delta] = new SnapshotTaker(registry).take();
    expect(Object.keys(delta?.metrics ?? {}).sort()).toEqual(["http_req_failed", "http_reqs"]);
  });

  test("counts the bytes that were sent and received", () => {
    const { root, registry, requests } = rootScope();
    requests.of(root, request, true).record(sample);
    expect(new SnapshotTaker(registry).take()[0]?.metrics).toMatchObject({
      data_sent: { total: 10 },
      data_received: { total: 20 },
    });
  });

  test("feeds every phase", () => {
    const { root, registry, requests } = rootScope();
    requests.of(root, request, true).record({ ...sample, phases });
    const sums = Object.fromEntries(
      Object.entries(allMetrics(registry)).flatMap(([name, delta]) =>
        delta.type === "trend" ? [[name, delta.sum]] : [],
      ),
    );
    expect(sums).toEqual({
      http_req_blocked: 1000,
      http_req_looking_up: 2000,
      http_req_connecting: 3000,
      http_req_tls_handshaking: 4000,
      http_req_sending: 5000,
      http_req_waiting: 6000,
      http_req_receiving: 7000,
      http_req_duration: 18_000,
      http_req_response_time: 28_000,
    });
  });
});

describe("the phases of requests", () => {
  const tagsWith = (metric: string, kept: readonly string[]): unknown[] => {
    const { root, registry, requests } = rootScope([], kept);
    for (const name of ["GET /a", "GET /b"])
      requests.of(root.page("home"), { ...request, name }, true).record({ ...sample, phases });
    const taken = new SnapshotTaker(registry).take();
    return taken.flatMap(({ tags, metrics }) => (metric in metrics ? [tags] : []));
  };

  test("are recorded by scenario and page, the duration of a request by all its tags", () => {
    expect(tagsWith("http_req_waiting", [])).toEqual([{ scenario: "readers", page: "home" }]);
    expect(tagsWith("http_req_duration", [])).toMatchObject([{ name: "GET /a" }, { name: "GET /b" }]);
  });

  test("keep all tags if a threshold filters by them", () => {
    const kept = ["http_req_waiting"];
    expect(tagsWith("http_req_waiting", kept)).toMatchObject([{ name: "GET /a" }, { name: "GET /b" }]);
    expect(tagsWith("http_req_sending", kept)).toEqual([{ scenario: "readers", page: "home" }]);
  });
});

test("phases are kept with two digits, all other times with three", () => {
  const precise = [...testCatalog()].filter(([, { type, precision }]) => type === "trend" && precision === 2);
  expect(precise.map(([name]) => name.slice("http_req_".length))).toEqual([
    "blocked",
    "looking_up",
    "connecting",
    "tls_handshaking",
    "sending",
    "waiting",
    "receiving",
  ]);
});
