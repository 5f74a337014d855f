import { describe, expect, test } from "vitest";

import { Scope } from "../src/scope.ts";
import { countSeries, request, requestsIn, rootScope, sample } from "./root-scope.ts";

describe("a flood", () => {
  test("of ever new sets of names leads to few scopes and series", () => {
    const { registry, root, requests } = rootScope();
    const scopes = new Set<Scope>();
    for (let number = 0; number < 20_000; number++) {
      const bits = Array.from({ length: 15 }, (_, at) => at).filter((at) => (number >> at) & 1);
      const scope = root.with(Object.fromEntries(bits.map((at) => [`t${at}`, String(number)])));
      scopes.add(scope);
      requests.of(scope, request, true).record(sample);
    }
    expect(scopes.size).toBeLessThanOrEqual(1101);
    expect(countSeries(registry)).toBeLessThanOrEqual(1101);
    expect(requestsIn(registry)).toBe(20_000);
  });

  test("of groups within groups is bounded in a worker, and no sample is lost", () => {
    const { registry, root, requests } = rootScope();
    const scopes = new Set<Scope>();
    for (let outer = 0; outer < 100; outer++)
      for (let inner = 0; inner < 400; inner++) {
        const scope = root.group(`outer ${outer}`).group(`inner ${inner}`);
        scopes.add(scope);
        requests.of(scope, request, true).record(sample);
      }
    expect(scopes.size).toBeLessThanOrEqual(21_000);
    expect(countSeries(registry)).toBeLessThanOrEqual(3001);
    expect(requestsIn(registry)).toBe(40_000);
  });

  test("of ever deeper groups ends in one group", () => {
    const { root } = rootScope();
    let scope = root;
    for (let depth = 0; depth < 30_000; depth++) scope = scope.group(`level ${depth}`);
    expect(scope.tags["group"]).toBe("(other)");
    expect(scope.group("deeper")).toBe(scope);
  });
});
