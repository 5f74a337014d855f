export { grpcStatusOf } from "./checks/grpc-status.ts";
export { reportsErrors } from "./checks/json-errors.ts";
export { isHtmlType, isJsonType, plainPath } from "./checks/response-checks.ts";
export { configShape } from "./config/config.ts";
export { isTest } from "./definition/define-test.ts";
export type { AnyContext, AnyEnv, AnyTestDefinition } from "./definition/test-definition.ts";
export { DurationSyntaxError } from "./duration/duration.ts";
export { envTypes } from "./env/env.ts";
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
export { feedEnds, feedOrders, feedRecipients } from "./feeds/feed.ts";
export { becomesGet, modifyingMethods, redirectStatuses } from "./http/redirect-rules.ts";
export { getDomain } from "./http/registrable-domain.ts";
export {
  eachOpeningPhase,
  eachPhase,
  isOpening,
  openingPhases,
  phaseNames,
  requestPhases,
} from "./http/timings.ts";
export type { OpeningPhase } from "./http/timings.ts";
export { codesOfSuccess, httpErrorCatalog } from "./http-errors/error-catalog.ts";
export type { ErrorExplanation } from "./http-errors/error-explanation.ts";
export { dnsPolicies, dnsSelections } from "./http-options/dns.ts";
export { cacheKinds, connectionScopes, cookieScopes, transportNames } from "./http-options/http-options.ts";
export { tlsVersions } from "./http-options/tls.ts";
export {
  builtInMetrics,
  engineMetrics,
  httpMetrics,
  isBuiltInMetric,
  metricTypes,
} from "./metrics/built-in-metrics.ts";
export { monitoredGauges } from "./metrics/monitored-gauges.ts";
export { comparisonSchema } from "./result/comparison-result.ts";
export { exemplarsSchema } from "./result/exemplars-result.ts";
export { accountingSchema } from "./result/result-accounting.ts";
export { minJudgedMs, pausesSchema } from "./result/result-generator.ts";
export { unitSchema } from "./result/result-metrics.ts";
export { processSchema } from "./result/result-process.ts";
export { trafficStages } from "./result/result-unmeasured.ts";
export { environmentSchema, testResultSchema } from "./result/result.ts";
export { trialSchema } from "./result/trial-result.ts";
export { comparedFigures, variantFigures } from "./result/variants-result.ts";
export { arrivalKinds, busyActions, executorNames, executors } from "./scenario/scenario.ts";
export type { Operator, ThresholdByMetricType } from "./thresholds/threshold.ts";
export { isRecord } from "./validation/is-record.ts";
export { once } from "./validation/once.ts";
export { ProblemCollector, sentenceOf } from "./validation/problem.ts";
export type { Path } from "./validation/problem.ts";
export * as z from "zod";
