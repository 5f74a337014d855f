export { aggregationName, checkAggregation } from "./check-aggregation.ts";
export type { JudgedMetric } from "./check-aggregation.ts";
export { BearhugError } from "./bearhug-error.ts";
export { BodyUnavailableError } from "./body-unavailable-error.ts";
export { builtInMetrics, isBuiltInMetric } from "./built-in-metrics.ts";
export type { BuiltInMetricName, BuiltInMetrics, MetricType, MetricUnit } from "./built-in-metrics.ts";
export type {
  Checks,
  Context,
  Iteration,
  IterationTags,
  SetupContext,
  TeardownContext,
  VirtualUser,
} from "./context.ts";
export { defineTest, definitionOf, isTest } from "./define-test.ts";
export type { Test } from "./define-test.ts";
export { DurationSyntaxError, parseDuration } from "./duration.ts";
export type { Duration } from "./duration.ts";
export type { BatchRequest, BatchRequestOptions, BatchResponses, Http } from "./http.ts";
export { RequestFailedError } from "./http-error.ts";
export type { HttpErrorCode, HttpErrorInfo, HttpPhase } from "./http-error.ts";
export type { Log } from "./log.ts";
export type { Metric, MetricDeclaration, MetricHandles, MetricTypes, Tags } from "./metric.ts";
export { matchesTags, MetricSelectorSyntaxError, parseMetricSelector } from "./metric-selector.ts";
export type { MetricSelector, TagFilter } from "./metric-selector.ts";
export type { Random } from "./random.ts";
export { requestName } from "./request-name.ts";
export type { Fields, FieldValue, RequestOptions, RequestUrl, StatusRange } from "./request-options.ts";
export type { ExchangeSize, Response, ResponseHeaders, Timings } from "./response.ts";
export type {
  ConstantArrivalRate,
  ConstantVus,
  ExecutorName,
  OpenModel,
  PerVuIterations,
  RampingArrivalRate,
  RampingVus,
  Scenario,
  ScenarioBase,
  SharedIterations,
  Stage,
} from "./scenario.ts";
export { StopSignal } from "./stop-signal.ts";
export type {
  AnyContext,
  AnyScenario,
  AnyTestDefinition,
  EnvDeclaration,
  NoSetupAboveScenarios,
  TestDefinition,
} from "./test-definition.ts";
export type { Expression, Threshold, ThresholdByMetricType, ThresholdOptions } from "./threshold.ts";
export { parseThreshold, ThresholdSyntaxError } from "./threshold-expression.ts";
export type {
  Aggregation,
  ThresholdExpression,
  ThresholdOperator,
  ThresholdUnit,
} from "./threshold-expression.ts";
