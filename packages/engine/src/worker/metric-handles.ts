import type { MetricInfo } from "@bearhug/metrics/metric-catalog";
import type { Tags } from "@bearhug/metrics/tags";
import { trendScale } from "@bearhug/metrics/trend";
import { textOf } from "@bearhug/plan/protocol/read-thrown";
import { noteFault } from "@bearhug/plan/protocol/test-faults";
import type { Metric } from "@bearhug/sdk";
import type { AnyContext } from "@bearhug/sdk/internal";

import { prototypeFor, withPrototype } from "./known-names.ts";
import type { Vu } from "./vu.ts";

/**
 * Creates `metrics` of one VU's context. Adding a value that a metric cannot hold is a mistake of the test
 * and throws.
 */
export function createMetricHandles(
  catalog: ReadonlyMap<string, MetricInfo>,
  names: readonly string[],
  vu: Vu,
): AnyContext["metrics"] {
  const handles = Object.fromEntries(
    names.map((name) => [name, createHandle(name, catalog.get(name)?.type ?? "counter", vu)]),
  );
  const unknownName = { path: "metrics", lacks: "the test declares no such metric", known: () => names };
  return withPrototype(handles, prototypeFor(unknownName));
}

function createHandle(
  name: string,
  type: MetricInfo["type"],
  vu: Vu,
): Metric<number | boolean> & Metric<never> {
  return {
    add(value: number | boolean, tags?: Tags): void {
      const { scope } = vu.place();
      const { series } = tags === undefined ? scope : scope.with(tags);
      if (type === "rate") {
        if (typeof value !== "boolean" && value !== 0 && value !== 1)
          throw noteFault(
            new TypeError(`metrics.${name} is a rate: add true or false, not ${inWords(value)}.`),
          );
        series.rate(name).add(Boolean(value));
        return;
      }
      if (typeof value !== "number" || !Number.isFinite(value)) {
        throw noteFault(
          new TypeError(`metrics.${name} is a ${type}: add a finite number, not ${inWords(value)}.`),
        );
      }
      if (Math.abs(value) > greatest[type]) {
        throw noteFault(
          new RangeError(`metrics.${name} is a ${type}: add a number up to ${greatest[type]}, not ${value}.`),
        );
      }
      if (type === "gauge") {
        series.gauge(name).add(value);
        return;
      }
      if (value < 0)
        throw noteFault(
          new RangeError(`metrics.${name} is a ${type}: add a number of 0 or more, not ${value}.`),
        );
      if (type === "counter") series.counter(name).add(value);
      else series.trend(name).add(value);
    },
  };
}

function inWords(value: unknown): string {
  // As plain text, a message would say that 3 is no finite number.
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  return textOf(value) ?? "a value that cannot be converted to a string";
}

/** The greatest values that are exact; trends count in thousandths. */
const greatest: Readonly<Record<"counter" | "gauge" | "trend", number>> = {
  counter: Number.MAX_SAFE_INTEGER,
  gauge: Number.MAX_SAFE_INTEGER,
  trend: Math.floor(Number.MAX_SAFE_INTEGER / trendScale),
};
