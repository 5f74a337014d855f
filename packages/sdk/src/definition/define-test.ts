import type { EnvTypes, NoEnv } from "../env/env.ts";
import type { FeedTypes } from "../feeds/feed.ts";
import type { MetricTypes } from "../metrics/metric.ts";
import type { AnyTestDefinition, TestDefinition, UnknownData } from "./test-definition.ts";

/**
 * Marks the tests that {@link defineTest} returns. A symbol of the global registry, so that two copies of
 * this package recognize each other's tests.
 */
const testBrand: unique symbol = Symbol.for("bearhug.test");

/** A load test, as {@link defineTest} returns it: the default export of a test file. */
export interface Test<
  S extends string = string,
  M extends MetricTypes = MetricTypes,
> extends AnyTestDefinition {
  /** Holds nothing at run time; carries the scenarios' names and the metrics' types for `runTest`. */
  readonly [testBrand]: { readonly scenarioName?: S; readonly metricTypes?: M };
}

/**
 * Defines a load test. Names of scenarios and metrics, the data of `setup`, the environment variables and the
 * keys of thresholds are inferred from the literal; the compiler rejects thresholds on metrics and scenarios
 * that don't exist. Write `setup` above `scenarios`. Throws nothing: all problems are reported together when
 * the test is loaded.
 */
export function defineTest<
  S extends string,
  D = UnknownData,
  M extends MetricTypes = Readonly<Record<never, never>>,
  K extends string = never,
  E extends EnvTypes = NoEnv,
  F extends FeedTypes = Readonly<Record<never, never>>,
  U = Record<string, unknown>,
>(definition: TestDefinition<D, M, S, K, E, F, U>): Test<S, M>;
export function defineTest(definition: AnyTestDefinition): Test {
  return Object.freeze({ ...definition, [testBrand]: Object.freeze({}) });
}

/** Returns true for a value that {@link defineTest} returned, valid or not. */
export function isTest(value: unknown): value is Test {
  return typeof value === "object" && value !== null && testBrand in value;
}
