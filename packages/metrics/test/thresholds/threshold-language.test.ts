import type { MetricType } from "@bearhug/sdk";
import type { Operator, ThresholdByMetricType } from "@bearhug/sdk/internal";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  aggregationName,
  aggregations,
  operators,
  parseCondition,
  percentileOf,
  type AggregationOf,
  type ThresholdUnit,
} from "../../src/thresholds/threshold-language.ts";

type Written<Kind extends string> = Kind extends "percentile" ? `p(${number})` | `p${number}` : Kind;
type Unit = Exclude<ThresholdUnit, "%" | null>;
type Expressions<
  Type extends MetricType,
  Units extends string,
> = `${Written<AggregationOf<Type>>}${Operator}${number}${Units}`;
type Texts<Type extends MetricType> = Extract<ThresholdByMetricType[Type], string>;

describe("the language of thresholds", () => {
  test("is the one that the compiler checks", () => {
    expectTypeOf<Expressions<"counter", "">>().toExtend<Texts<"counter">>();
    expectTypeOf<Expressions<"gauge", "">>().toExtend<Texts<"gauge">>();
    expectTypeOf<Expressions<"rate", "" | "%">>().toExtend<Texts<"rate">>();
    expectTypeOf<Expressions<"trend", "" | Unit>>().toExtend<Texts<"trend">>();
    expectTypeOf<Texts<"counter">>().toExtend<Expressions<"counter", "" | Unit>>();
    expectTypeOf<Texts<"gauge">>().toExtend<Expressions<"gauge", "" | Unit>>();
    expectTypeOf<Texts<"rate">>().toExtend<Expressions<"rate", "" | "%">>();
    expectTypeOf<Texts<"trend">>().toExtend<Expressions<"trend", "" | Unit>>();
  });

  test.each(Object.keys(aggregations).map((kind) => (kind === "percentile" ? "p(99.9)" : kind)))(
    "reads back %s as it writes it",
    (name) => {
      const { aggregation } = parseCondition(`${name}<1`);
      expect(aggregationName(aggregation)).toBe(name);
      const isPercentile = aggregations[aggregation.kind].estimate === "percentile";
      expect(percentileOf(aggregation) !== null).toBe(isPercentile);
    },
  );

  test.each(Object.entries(operators))("proves %s only if it holds for all possible values", (_, one) => {
    for (const least of [9, 10, 11]) {
      const greater = [least, 10, 10.5, 1e9].filter((value) => value >= least);
      expect(one.holdsFrom(least, 10)).toBe(greater.every((value) => one.holds(value, 10)));
    }
  });
});
