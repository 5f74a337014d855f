import type { TestResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { findIncomparable, type Allowance, type NamedRun } from "../../src/comparison/comparable.ts";
import { resultOf } from "../../../report/test/result-of.ts";

function oneLiner(name: string, test: Partial<TestResult["test"]>): NamedRun {
  const defaults = { name: "GET http://127.0.0.1:8080/", file: null, target: "http://127.0.0.1:8080" };
  return { name, result: resultOf({ test: { ...defaults, ...test } }) };
}

function refused(runs: readonly NamedRun[], ...allowed: readonly Allowance[]): string[] {
  return findIncomparable(runs, new Set(allowed));
}

const base = oneLiner("base.json", {});
const other = oneLiner("other.json", {
  name: "GET http://127.0.0.1:9090/",
  target: "http://127.0.0.1:9090",
});

describe("the same request to two targets, without a test file", () => {
  test("is refused for one reason, and allowed with one flag", () => {
    expect(refused([base, other])).toEqual([
      "base.json loaded http://127.0.0.1:8080, other.json loaded http://127.0.0.1:9090. To compare anyway, add --allow target.",
    ]);
    expect(refused([base, other], "target")).toEqual([]);
  });

  test("is treated alike if the runs have several URLs and no single target", () => {
    const of = (port: number): NamedRun =>
      oneLiner(`${port}.json`, { name: `GET http://127.0.0.1:${port}/ and 1 more`, target: null });
    expect(refused([of(1), of(2)])).toEqual([
      "1.json loaded http://127.0.0.1:1, 2.json loaded http://127.0.0.1:2. To compare anyway, add --allow target.",
    ]);
    expect(refused([of(1), of(2)], "target")).toEqual([]);
  });
});

test("different paths or methods are different tests, even if another target is allowed", () => {
  const paths = oneLiner("cart.json", { name: "GET http://127.0.0.1:8080/cart" });
  const methods = oneLiner("post.json", { name: "POST http://127.0.0.1:8080/" });
  for (const one of [paths, methods])
    expect(refused([base, one], "target")).toEqual([expect.stringContaining("--allow test")]);
});

test("a test file whose name contains a URL is identified by its whole name", () => {
  const named = (name: string): NamedRun =>
    oneLiner(name, { name, file: "shop.ts", target: "http://127.0.0.1:8080" });
  expect(refused([named("shop of http://a.example"), named("shop of http://b.example")])).toEqual([
    expect.stringContaining("are of different tests"),
  ]);
});

test("a partial result cannot be compared with a whole one", () => {
  const partial = { ...base, result: { ...base.result, partial: ["shard 2 of 2 is missing"] } };
  expect(refused([partial, base])).toEqual([
    "The result of base.json is partial: shard 2 of 2 is missing. To compare anyway, add --allow ending.",
  ]);
  expect(refused([partial, base], "ending")).toEqual([]);
});
