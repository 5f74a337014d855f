export { plainPath } from "./checks/response-checks.ts";
export { definitionOf, isTest } from "./definition/define-test.ts";
export { needsEnv, resolveTest } from "./definition/resolve-test.ts";
export { readSummary } from "./definition/summary.ts";
export type { ValidatedSummary } from "./definition/summary.ts";
export type { AnyContext, AnyEnv, AnyScenario, AnyTestDefinition } from "./definition/test-definition.ts";
export { declaredEnv, validateTest } from "./definition/validate-test.ts";
export type { ValidatedTest } from "./definition/validated-test.ts";
export { parseDuration } from "./duration/duration.ts";
export { readEnvValue } from "./env/env-value.ts";
export type { ValidatedEnv } from "./env/read-env.ts";
export { readConfig } from "./config/config.ts";
export {
  pathSegments,
  redirectedAddress,
  redirectInJson,
  scriptRedirects,
} from "./extract/address-values.ts";
export { extractFrom } from "./extract/extract-from.ts";
export type { ExtractionSource } from "./extract/extractor.ts";
export { writeJsonPath } from "./extract/json-path.ts";
export { watchExtractions } from "./extract/watch-extractions.ts";
export { walkHtml } from "./extract/walk-html.ts";
export type { HtmlValue } from "./extract/walk-html.ts";
export type { ValidatedFeed } from "./feeds/feed-schema.ts";
export type { FeedHandles, FeedTypes } from "./feeds/feed.ts";
export { modifyingMethods } from "./http/redirect-rules.ts";
export { becomesGet, redirectStatuses } from "./http/redirect-rules.ts";
export { getDomain } from "./http/registrable-domain.ts";
export { httpErrorCatalog } from "./http-errors/error-catalog.ts";
export type { ErrorExplanation } from "./http-errors/error-explanation.ts";
export { authSecrets } from "./http-options/auth.ts";
export type { ValidatedDns } from "./http-options/dns.ts";
export { requestHeaderProblem, isSingularHeader } from "./http-options/headers.ts";
export {
  destinationProblem,
  hostKey,
  hostKeyProblem,
  readDestination,
} from "./http-options/host-destinations.ts";
export { httpContradictions } from "./http-options/http-contradictions.ts";
export {
  type GivenHttp,
  type GivenOption,
  protocols,
  transportNames,
  type ValidatedHttp,
} from "./http-options/http-options.ts";
export { readDirectHosts } from "./http-options/http-rules.ts";
export {
  defaultHttp,
  httpOptionNames,
  httpOptions,
  mergeHttp,
  mergeOption,
} from "./http-options/option-table.ts";
export type { HttpOptionName, RequestHttpOptionName } from "./http-options/option-table.ts";
export { readHttpOptions } from "./http-options/read-http.ts";
export { readRequestOption, requestHttpOptionNames } from "./http-options/read-request-option.ts";
export type { ValidatedTimeouts } from "./http-options/timeouts.ts";
export { pfxInPem } from "./http-options/tls.ts";
export type { ValidatedTls, ValidatedTlsClient } from "./http-options/tls.ts";
export {
  builtInMetrics,
  engineMetrics,
  httpMetrics,
  isBuiltInMetric,
  metricTypes,
} from "./metrics/built-in-metrics.ts";
export type { MetricUnit } from "./metrics/built-in-metrics.ts";
export { describeGauge, readGaugeName } from "./metrics/monitored-gauges.ts";
export { matchesTags, parseMetricSelector, writeMetricSelector } from "./metrics/metric-selector.ts";
export type { MetricSelector, TagFilter } from "./metrics/metric-selector.ts";
export { isBuiltInTag } from "./metrics/metric.ts";
export { comparedFigures, variantFigures } from "./result/variants-result.ts";
export type { MetricHandles, MetricTypes } from "./metrics/metric.ts";
export type { ValidatedMetric } from "./metrics/read-metrics.ts";
export { comparisonSchema } from "./result/comparison-result.ts";
export { exemplarsSchema } from "./result/exemplars-result.ts";
export { normalQuantile, studentQuantile, studentTail } from "./result/quantiles.ts";
export { confidenceRanks, samplesForConfidence } from "./result/quantiles.ts";
export { accountingSchema } from "./result/result-accounting.ts";
export { minJudgedMs, pausesSchema } from "./result/result-generator.ts";
export { selectorNameProblem, tagNameProblem } from "./validation/name-rules.ts";
export { unitSchema } from "./result/result-metrics.ts";
export { processSchema } from "./result/result-process.ts";
export { trafficStages } from "./result/result-unmeasured.ts";
export { environmentSchema, testResultSchema } from "./result/result.ts";
export { InvalidTest, type TestProblem } from "./invalid-input.ts";
export { atPosition, writePosition } from "./result/source-position.ts";
export { trialSchema } from "./result/trial-result.ts";
export { classifyVuTime } from "./result/vu-time.ts";
export {
  eachOpeningPhase,
  eachPhase,
  isOpening,
  openingPhases,
  phaseNames,
  requestPhases,
} from "./http/timings.ts";
export type { OpeningPhase } from "./http/timings.ts";
export type { ValidatedIterations } from "./scenario/iterations.ts";
export { defaultMaxVUs } from "./scenario/open-model.ts";
export type { ValidatedOpenModel } from "./scenario/open-model.ts";
export type { ValidatedScenarioBase } from "./scenario/scenario-options.ts";
export { executorNames, executors } from "./scenario/scenario.ts";
export type { ScenarioOf, ValidatedScenario } from "./scenario/scenario.ts";
export type { ValidatedStage } from "./scenario/stages.ts";
export {
  gaugeFilterProblem,
  judgedMetric,
  parseThreshold,
  splitThreshold,
} from "./thresholds/read-thresholds.ts";
export type { ValidatedThreshold } from "./thresholds/read-thresholds.ts";
export {
  aggregatedUnit,
  aggregationName,
  aggregationNames,
  aggregations,
  checkThreshold,
  eachTrendFigure,
  operatorNames,
  operators,
  parseCondition,
  percentileOf,
  trendFigures,
  unitNames,
} from "./thresholds/threshold-language.ts";
export type {
  Aggregation,
  AggregationOf,
  ThresholdCondition,
  ThresholdOperator,
  TrendFigure,
} from "./thresholds/threshold-language.ts";
export { once } from "./validation/once.ts";
export { sentenceOf } from "./validation/problem.ts";
export * as z from "zod";
