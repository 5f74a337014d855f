import { createMask } from "@bearhug/text/secret-mask";
import { describe, expect, test } from "vitest";

import { omittedTags } from "../src/own-tags.ts";
import { MetricRegistry } from "../src/registry.ts";
import { SeriesStore } from "../src/series-store.ts";
import { SnapshotTaker } from "../src/snapshot.ts";
import { testCatalog } from "./catalog-of.ts";
import { countSeries, request, requestsIn, rootScope, sample } from "./root-scope.ts";

const secret = "correct-horse-battery-staple";

describe("long texts that a test chooses", () => {
  const long = "x".repeat(200_000);

  test("are cut in tags, pages, groups and checks, and stay different", () => {
    const { root } = rootScope([secret]);
    const made = [1, 2].flatMap((number) => [
      root.with({ user: `${long}${number}` }),
      root.page(`${long}${number}`),
      root.group(`${long}${number}`),
      root.group(`${long}${number}`).group(`${long}3`),
    ]);
    expect(new Set(made).size).toBe(8);
    for (const { tags } of made) {
      const { scenario, ...own } = tags;
      expect(scenario).toBe("readers");
      for (const value of Object.values(own)) expect(value).toMatch(/^x{239}…[\da-f]{14}$/);
    }
    expect(root.with({ user: `${long}1` })).toBe(made[0]);
    expect(root.check(`${long}1`)).toBe(root.check(`${long}1`));
    expect(root.check(`${long}1`)).not.toBe(root.check(`${long}2`));
  });

  test("are refused as names of tags if they contain a secret", () => {
    const { root } = rootScope([secret]);
    for (const name of [secret, `of ${secret}`, `ghp_${"Ab3Cd5Ef7".repeat(4)}`])
      expect(() => root.with({ [name]: "a" })).toThrow(/^tag "(?:of )?\*{3}": its name holds a secret/);
    expect(root.with({ token: "a" }).tags["token"]).toBe("a");
  });

  test("are masked before they are cut", () => {
    const { root } = rootScope([secret]);
    const { tags } = root.with({ user: `${"x".repeat(230)}${secret}${long}` });
    expect(tags["user"]).toMatch(/^x{230}\*{3}x{6}…[\da-f]{14}$/);
  });

  test("are refused as names of tags if they are too long", () => {
    const { root } = rootScope([secret]);
    expect(() => root.with({ [long]: "x" })).toThrow(
      "its name has 200000 characters; at most 200 are allowed",
    );
    const longest = "y".repeat(200);
    expect(root.with({ [longest]: "x" }).tags[longest]).toBe("x");
  });
});

describe("tags that pile up", () => {
  test("are limited to 32 on a sample, and to 100 names", () => {
    const { registry, root, requests } = rootScope([secret]);
    const tags: Record<string, string> = {};
    let recorded = 0;
    for (let number = 0; number < 200; number++) {
      tags[`tag${number}`] = "x".repeat(1000);
      const scope = root.with(tags);
      expect(Object.keys(scope.tags).length).toBeLessThanOrEqual(33);
      requests.of(scope, request, true).record(sample);
      recorded++;
    }
    expect(countSeries(registry)).toBeLessThanOrEqual(33);
    expect(requestsIn(registry)).toBe(recorded);
    expect(registry.foldedTags).toContain("tag40");
    expect(registry.foldedTags).toContain(omittedTags);
    expect(registry.foldedTags.length).toBeLessThanOrEqual(101);
    expect(Object.keys(registry.overflowed ?? {})).toEqual(["tag32"]);
  });

  test("are distinguished by 100 names, and no more", () => {
    const { registry, root } = rootScope([secret]);
    const kept = Array.from({ length: 101 }, (_, n) => root.with({ [`tag${n}`]: "x" }).tags[`tag${n}`]);
    expect(kept).toEqual([...Array.from({ length: 100 }, () => "x"), undefined]);
    expect(registry.foldedTags).toEqual([omittedTags]);
    expect(root.with({ tag99: "y" }).tags["tag99"]).toBe("y");
  });

  test("take no room if they replace tags of the scope around them", () => {
    const { root } = rootScope([secret]);
    const around = root.with(Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`a${n}`, "x"])));
    expect(around.with({ a1: "y", a2: "y", b: "new" }).tags).toMatchObject({ a1: "y", a2: "y", b: "new" });
  });

  test("are folded together if tags of the scope around them take their room", () => {
    const { root } = rootScope([secret]);
    const around = root.with(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`a${n}`, "x"])));
    const { tags } = around.with({ b1: "x", b2: "x", b3: "x", a1: "y" });
    expect(Object.keys(tags).length).toBe(33);
    expect(tags).toMatchObject({ a1: "y", b2: "x" });
  });
});

describe("a flood of methods", () => {
  test("ends in one method", () => {
    const { registry, root, requests } = rootScope([secret]);
    for (let number = 0; number < 5000; number++)
      requests.of(root, { ...request, method: `METHOD-${number}` }, true).record(sample);
    expect(countSeries(registry)).toBeLessThanOrEqual(64);
    expect(requestsIn(registry)).toBe(5000);
    const methods = new Set([...registry.all()].map(({ tags }) => tags["method"]));
    expect(methods.has("(other)")).toBe(true);
    expect(methods.size).toBe(countSeries(registry));
  });
});

describe("the series of many workers", () => {
  test("are bounded together, with exact totals, and the folded tags are known", () => {
    const store = new SeriesStore();
    for (let worker = 0; worker < 8; worker++) {
      const registry = new MetricRegistry(testCatalog(), createMask([]));
      for (let user = 0; user < 1500; user++)
        registry
          .series({ scenario: "readers", user: `${worker}-${user}`, check: `c${user}` })
          .counter("http_reqs")
          .add(1);
      store.add(worker, new SnapshotTaker(registry).take());
    }
    expect([...store.all()].length).toBeLessThanOrEqual(3502);
    expect(store.select({ metric: "http_reqs", filters: [] })).toMatchObject({ total: 12_000 });
    expect([...store.foldedTags].sort()).toEqual(["check", "user"]);
  });

  test("with statuses, methods and own tags of every kind end in one series for a scenario", () => {
    const store = new SeriesStore();
    const deltas = Array.from({ length: 9000 }, (_, id) => ({
      id,
      tags: { scenario: `s${id % 3}`, status: String(id), [`own${id}`]: "x", name: `n${id}` },
      metrics: { http_reqs: { type: "counter", total: 1, samples: 1 } as const },
    }));
    store.add(0, deltas);
    expect([...store.all()].length).toBeLessThanOrEqual(4003);
    expect(store.select({ metric: "http_reqs", filters: [] })).toMatchObject({ total: 9000 });
  });
});
