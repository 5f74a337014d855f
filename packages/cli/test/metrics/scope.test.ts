import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { MetricRegistry } from "../../src/metrics/registry.ts";
import { Scope } from "../../src/metrics/scope.ts";
import { SeriesStore } from "../../src/metrics/series-store.ts";
import { SnapshotTaker } from "../../src/metrics/snapshot.ts";
import { testCatalog } from "./catalog-of.ts";
import { own } from "../../src/masked-text.ts";
import { createMask } from "../../src/secret-mask.ts";

function rootScope() {
  const registry = new MetricRegistry(testCatalog(), createMask([]));
  return { registry, root: new Scope(registry, { scenario: "readers" }) };
}

const request = { name: "GET /", method: "GET", status: 200, protocol: "HTTP/1.1" };
const sample = {
  hasFailed: false,
  isCutOff: false,
  hasWaited: true,
  hasReceived: true,
  phases: null,
  bytesSent: 10,
  bytesReceived: 20,
};

describe("a scope", () => {
  test("adds the tags of pages and groups to those around it, groups as a path", () => {
    const { root } = rootScope();
    expect(root.page("home").tags).toEqual({ scenario: "readers", page: "home" });
    expect(root.group("a").group("b").tags).toEqual({ scenario: "readers", group: "a::b" });
    expect(root.page("home").group("a").group("b").with({ user: "x" }).tags).toEqual({
      scenario: "readers",
      page: "home",
      group: "a::b",
      user: "x",
    });
  });

  test("is the same one each time it is entered", () => {
    const { root } = rootScope();
    expect(root.page("home").group("a")).toBe(root.page("home").group("a"));
    expect(root.with({ a: "1", b: "2" })).toBe(root.with({ b: "2", a: "1" }));
    expect(root.page("x")).not.toBe(root.group("x"));
  });

  test("is never that of the tags asked for just before", () => {
    const { root } = rootScope();
    const tags = { a: "1", b: "2" };
    const both = root.with(tags);
    expect(root.with({ a: "1" }).tags).toEqual({ scenario: "readers", a: "1" });
    expect(root.with({}).tags).toEqual({ scenario: "readers" });
    expect(root.with(tags)).toBe(both);
    tags.b = "changed";
    expect(root.with(tags).tags).toEqual({ scenario: "readers", a: "1", b: "changed" });
  });

  test("tells requests apart by name, method, status and whether they were expected", () => {
    const { root, registry } = rootScope();
    const variants = [
      [request, true],
      [request, false],
      [{ ...request, status: 500 }, false],
      [{ ...request, method: "POST" }, true],
      [{ ...request, name: "GET /a" }, true],
      [{ ...request, status: 0 }, false],
    ] as const;
    for (const [key, isExpected] of variants) root.requestSeries(key, isExpected).record(sample);
    for (const [key, isExpected] of variants) root.requestSeries(key, isExpected).record(sample);
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
        const { root } = rootScope();
        const made = keys.map((one) => root.requestSeries(one, one.isExpected));
        const kinds = keys.map((one) => JSON.stringify(one));
        for (const [index, series] of made.entries()) expect(series).toBe(made[kinds.indexOf(kinds[index]!)]);
        expect(new Set(made).size).toBe(new Set(kinds).size);
      }),
      { numRuns: 20 },
    );
  });

  test("tells requests of HTTP/1.1 and HTTP/2 apart", () => {
    const { root, registry } = rootScope();
    for (const protocol of ["HTTP/1.1", "HTTP/2"])
      root.requestSeries({ ...request, protocol }, true).record(sample);
    const series = new SnapshotTaker(registry).take();
    expect(series.map(({ tags }) => tags?.["protocol"])).toEqual(["HTTP/1.1", "HTTP/2"]);
  });

  test("notes checks that threw under the tags around them, and describes the first alone", () => {
    const { root, registry } = rootScope();
    const fault = { message: own`boom`, firstAtMs: 5, position: null };
    root.page("home").checkThrew("is fine", () => fault);
    root.page("home").checkThrew("is fine", () => expect.unreachable("it was described before"));
    root.checkThrew("is fine", () => fault);
    expect(registry.checkFaults.drain()).toEqual([
      { ...fault, check: "is fine", scenario: "readers", page: "home", count: 2 },
      { ...fault, check: "is fine", scenario: "readers", page: null, count: 1 },
    ]);
  });

  test("puts a flood of page names into (other) without losing a sample", () => {
    const { root, registry } = rootScope();
    for (let page = 0; page < 3000; page++) root.page(`page ${page}`).series.counter("pages").add(1);
    const store = new SeriesStore();
    store.add(0, new SnapshotTaker(registry).take());
    const total = store.select({ metric: "pages", filters: [] });
    expect(total?.type === "counter" ? total.total : null).toBe(3000);
    expect([...registry.all()].length).toBe(1001);
    expect(root.page("another").tags).toEqual({ scenario: "readers", page: "(other)" });
  });

  test("puts a flood of tag sets into one with the same tags, and says which are told apart no more", () => {
    const { root, registry } = rootScope();
    for (let user = 0; user < 1000; user++) root.with({ user: String(user), kind: "vip" });
    expect(registry.foldedTags).toEqual([]);
    expect(registry.overflowed).toBeNull();
    const more = root.with({ user: "more", kind: "vip" });
    expect(more.tags).toEqual({ scenario: "readers", user: "(other)", kind: "(other)" });
    expect(root.with({ user: "yet more", kind: "x" })).toBe(more);
    expect(root.with({ step: "1" }).tags).toEqual({ scenario: "readers", step: "(other)" });
    expect(root.with({ user: "7", kind: "vip" }).tags).toMatchObject({ user: "7", kind: "vip" });
    expect([...registry.foldedTags].sort()).toEqual(["kind", "step", "user"]);
    expect(registry.overflowed).toEqual({ user: "more", kind: "vip" });
  });

  test("notes floods of pages and groups, too", () => {
    const { root, registry } = rootScope();
    for (let page = 0; page < 1001; page++) root.page(`page ${page}`);
    expect(registry.foldedTags).toEqual(["page"]);
    root.group("one more");
    expect(registry.foldedTags).toEqual(["page", "group"]);
  });

  test.each(["scenario", "page", "group", "name", "method", "status", "protocol", "expected_response"])(
    "refuses to have its tag %s set",
    (name) => {
      const { root } = rootScope();
      expect(() => root.with({ [name]: "mine" })).toThrow(TypeError);
      expect(() => root.with({ fine: "1", [name]: "mine" })).toThrow(`tag "${name}": bearhug sets it itself`);
    },
  );

  test("may have its tag check set, for checks made elsewhere", () => {
    expect(rootScope().root.with({ check: "mine" }).tags).toEqual({ scenario: "readers", check: "mine" });
  });

  test.each([7, null, undefined, true, ["a"]])("refuses %j for a tag's value, each time", (value) => {
    const { root } = rootScope();
    const tags = { user: value } as unknown;
    for (let time = 0; time < 2; time++)
      expect(() => root.with(tags as Record<string, string>)).toThrow('tag "user": must be a string');
    expect(root.with({ user: "7" }).tags).toMatchObject({ user: "7" });
  });

  test("keeps a flood of groups apart from a flood of pages", () => {
    const { root } = rootScope();
    for (let page = 0; page < 1000; page++) root.page(`page ${page}`);
    expect(root.page("one more").tags).toEqual({ scenario: "readers", page: "(other)" });
    expect(root.group("one more").tags).toEqual({ scenario: "readers", group: "(other)" });
  });

  test("counts checks by name under the tags around them, also beyond the names that it remembers", () => {
    const { root, registry } = rootScope();
    const home = root.page("home");
    for (let name = 0; name < 1200; name++) home.check(`check ${name}`).add(name % 2 === 0);
    home.check("check 1199").add(false);
    const store = new SeriesStore();
    store.add(0, new SnapshotTaker(registry).take());
    const all = store.select({ metric: "checks", filters: [] });
    expect(all).toMatchObject({ type: "rate", trues: 600, samples: 1201 });
  });
});

describe("a request's sample", () => {
  test("without phases counts as a request but is no latency", () => {
    const { root, registry } = rootScope();
    root.requestSeries({ ...request, status: 0 }, false).record({
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

  const phases = {
    blocked: 1,
    lookingUp: 2,
    connecting: 3,
    tlsHandshaking: 4,
    sending: 5,
    waiting: 6,
    receiving: 7,
    duration: 18,
    responseTime: 28,
  };

  /** Phases that have a sample, and those among them whose sample is a lower bound. */
  function phasesOf(changes: Partial<typeof sample>): { told: string[]; bounds: string[] } {
    const { root, registry } = rootScope();
    root.requestSeries(request, true).record({ ...sample, ...changes, phases });
    const trends = Object.entries(new SnapshotTaker(registry).take()[0]?.metrics ?? {}).flatMap(
      ([name, delta]) => (delta.type === "trend" ? [{ name: name.slice("http_req_".length), ...delta }] : []),
    );
    const names = (some: typeof trends): string[] => some.map(({ name }) => name).sort();
    return { told: names(trends), bounds: names(trends.filter(({ censored }) => censored !== null)) };
  }

  test.each([
    { hasWaited: false, hasReceived: false, without: ["receiving", "waiting"], last: "sending" },
    { hasWaited: true, hasReceived: false, without: ["receiving"], last: "waiting" },
    { hasWaited: true, hasReceived: true, without: [], last: "receiving" },
  ])("that was cut off while $last is a lower bound in that phase and in its whole time", (row) => {
    const { without, last, ...reached } = row;
    const all = phasesOf({});
    expect(all.bounds).toEqual([]);
    const { told, bounds } = phasesOf({ ...reached, isCutOff: true });
    expect(all.told.filter((name) => !told.includes(name))).toEqual(without);
    expect(bounds).toEqual(["duration", "response_time", last].sort());
  });

  test("of nothing sent and nothing received counts no bytes", () => {
    const { root, registry } = rootScope();
    root.requestSeries(request, true).record({ ...sample, bytesSent: 0, bytesReceived: 0 });
    const [delta] = new SnapshotTaker(registry).take();
    expect(Object.keys(delta?.metrics ?? {}).sort()).toEqual(["http_req_failed", "http_reqs"]);
  });

  test("counts the bytes that were sent and received", () => {
    const { root, registry } = rootScope();
    root.requestSeries(request, true).record(sample);
    expect(new SnapshotTaker(registry).take()[0]?.metrics).toMatchObject({
      data_sent: { total: 10 },
      data_received: { total: 20 },
    });
  });

  test("feeds every phase", () => {
    const { root, registry } = rootScope();
    root.requestSeries(request, true).record({ ...sample, phases });
    const metrics = new SnapshotTaker(registry).take()[0]?.metrics ?? {};
    const sums = Object.fromEntries(
      Object.entries(metrics).flatMap(([name, delta]) => (delta.type === "trend" ? [[name, delta.sum]] : [])),
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

test("phases are kept with two digits, all other times with three", () => {
  const precise = [...testCatalog().values()].filter(
    ({ type, precision }) => type === "trend" && precision === 2,
  );
  expect(precise.map(({ name }) => name.slice("http_req_".length))).toEqual([
    "blocked",
    "looking_up",
    "connecting",
    "tls_handshaking",
    "sending",
    "waiting",
    "receiving",
  ]);
});
