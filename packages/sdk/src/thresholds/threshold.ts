import type { BuiltInMetrics, MetricType } from "../metrics/built-in-metrics.ts";
import type { Duration } from "../duration/duration.ts";
import type { monitoredGauges, StandardGauge } from "../metrics/monitored-gauges.ts";
import type { MetricTypes } from "../metrics/metric.ts";
import type { Suggest } from "../text/suggest.ts";

/** The operators that thresholds may use; `===` means `==`. */
export type Operator = "<" | "<=" | ">" | ">=" | "==" | "!=" | "===";

/**
 * `aggregation operator value[unit]`, such as `"p(95)<300ms"`.
 * The type parameters are the aggregations and the units, because the compiler prints them when it rejects an
 * expression.
 */
export type Expression<
  Aggregation extends string,
  Unit extends string,
  Example extends string,
  InConstants extends string,
> = Suggest<`${Aggregation}${Operator}${number}${Unit}`, Example> | Extract<InConstants, never>;

/** The compiler prints this advice if the strings of a constant were inferred as `string`. */
type InConstants = "for a constant: const thresholds = { … } satisfies Thresholds";

/** A threshold with options. */
export interface ThresholdOptions<E> {
  /** The condition, such as `"p(95)<300ms"`. */
  readonly threshold: E;
  /** Ends the test as soon as the threshold fails. @default false */
  readonly abortOnFail?: boolean;
  /** How long to collect samples before `abortOnFail` may end the test. @default 0 */
  readonly delayAbortEval?: Duration;
  /**
   * Evaluates every window of this length (whole seconds, sliding by one second) instead of the whole test.
   * @default the whole test
   */
  readonly window?: Duration;
  /** Passes if there are no samples; otherwise such a threshold fails. @default false */
  readonly allowEmpty?: boolean;
}

/** A threshold: an expression, or one with options. */
export type Threshold<
  Aggregation extends string,
  Unit extends string,
  Example extends string,
  Hint extends string = InConstants,
> =
  | Expression<Aggregation, Unit, Example, Hint>
  | ThresholdOptions<Expression<Aggregation, Unit, Example, Hint>>;

/** The aggregations of a metric, by its type. */
export interface ThresholdByMetricType {
  counter: Threshold<"count" | "rate", SizeUnit, "count>1000" | "rate>100">;
  gauge: Threshold<"value", "" | "ms" | "s" | "m" | "k", "value<100">;
  rate: Threshold<"rate", "" | "%", "rate<1%" | "rate>99%">;
  trend: Threshold<
    "avg" | "min" | "max" | "med" | "count" | `p(${number})` | `p${number}`,
    "" | "ms" | "s" | "m" | "k" | "kB" | "MB" | "GB",
    "p(95)<500ms" | "p(99)<1s" | "med<200ms" | "avg<200ms" | "max<5s"
  >;
}

/** The thresholds on one metric, whatever its type. */
export type ThresholdList = readonly ThresholdByMetricType[MetricType][];

/**
 * The thresholds of a test, by metric. Write `satisfies Thresholds` after a constant that you pass to
 * `defineTest`, so that the compiler still checks its keys and aggregations there.
 */
export type Thresholds = Readonly<Record<string, ThresholdList>>;

/** The metrics that every test has, and the test's own. */
export type AllMetrics<M> = BuiltInMetrics & M;

/**
 * The type of a threshold key's value: its list or, for an invalid key, a sentence that the compiler prints.
 */
export type ThresholdsAt<Key, M extends MetricTypes, S extends string> = string extends Key
  ? ThresholdList // keys that are computed at run time are checked at run time
  : Key extends `${infer Name}{${infer Filter}`
    ? FilteredThresholdsOn<Name, Filter, M, S>
    : ThresholdsOn<Key, M>;

type ThresholdsOn<Name, M extends MetricTypes> = Name extends keyof AllMetrics<M>
  ? readonly ThresholdByMetricType[AllMetrics<M>[Name]][]
  : Name extends `${string}.${infer Gauge}`
    ? readonly MonitoredThreshold<Gauge>[]
    : `no metric is called ${Name & string}`;

type SizeUnit = "" | "k" | "kB" | "MB" | "GB";

/** The thresholds on a gauge of a monitor, such as `server.cpu`, by the part of its name after the monitor's. */
type MonitoredThreshold<Gauge> = Gauge extends StandardGauge
  ? MonitoredThresholdByUnit[`${(typeof monitoredGauges)[Gauge]["unit"]}`]
  : MonitoredThresholdByUnit[Gauge extends `${string}_bytes` ? "bytes" : "null"];

interface MonitoredThresholdByUnit {
  "%": Threshold<GaugeAggregation, "%", "avg<80%" | "max<95%">;
  bytes: Threshold<GaugeAggregation, SizeUnit, "max<2GB" | "avg<500MB">;
  "bytes/s": Threshold<GaugeAggregation, SizeUnit, "max<100MB" | "avg<10MB">;
  null: Threshold<GaugeAggregation, "" | "k", "max<1000" | "avg<100">;
}

type GaugeAggregation = "avg" | "min" | "max" | "value";

type FilteredThresholdsOn<
  Name,
  Filter,
  M extends MetricTypes,
  S extends string,
> = Filter extends `${string}:${string}}`
  ? Filter extends `${"" | `${string},`}scenario${"" | "!"}:${infer Rest}}`
    ? Rest extends S | `${S},${string}`
      ? ThresholdsOn<Name, M>
      : `no scenario is called ${Rest}`
    : ThresholdsOn<Name, M>
  : "a tag filter is written {page:home} or {page:home,status!:500}";
