export { aggregationName, checkAggregation } from "./thresholds/check-aggregation.ts";
export type { JudgedMetric } from "./thresholds/check-aggregation.ts";
export { capMessage, capName } from "./text/cap-text.ts";
export { closestName } from "./text/closest-name.ts";
export type { Answer } from "./extract/answer.ts";
export { extract } from "./extract/extract.ts";
export type { ExtractableResponse } from "./extract/extract.ts";
export { ExtractError } from "./extract/extract-error.ts";
export { extractFrom } from "./extract/extract-from.ts";
export { InvalidExtractorError } from "./extract/invalid-extractor-error.ts";
export { writeJsonPath } from "./extract/json-path.ts";
export type { JsonPath } from "./extract/json-path.ts";
export { walkHtml } from "./extract/walk-html.ts";
export type { HtmlValue } from "./extract/walk-html.ts";
export type { Extractor } from "./extract/extractor.ts";
export { fromBase64 } from "./text/from-base64.ts";
export { BearhugError } from "./bearhug-error.ts";
export { BodyUnavailableError } from "./http/body-unavailable-error.ts";
export { builtInMetrics, isBuiltInMetric } from "./metrics/built-in-metrics.ts";
export type {
  BuiltInMetricName,
  BuiltInMetrics,
  MetricType,
  MetricUnit,
} from "./metrics/built-in-metrics.ts";
export { isBuiltInTag } from "./metrics/built-in-tags.ts";
export type {
  Checks,
  Context,
  Iteration,
  IterationTags,
  SetupContext,
  TeardownContext,
  VirtualUser,
} from "./context/context.ts";
export type { CookieJar, CookieOptions } from "./http/cookies.ts";
export { defineTest, definitionOf, isTest } from "./definition/define-test.ts";
export type { Test } from "./definition/define-test.ts";
export { DurationSyntaxError, parseDuration } from "./duration/duration.ts";
export type { Duration } from "./duration/duration.ts";
export { csv, json, ndjson, rows } from "./feeds/feed.ts";
export type {
  CsvOptions,
  Feed,
  FeedDeclaration,
  FeedFile,
  FeedHandle,
  FeedHandles,
  FeedOptions,
  FeedOrder,
  FeedTypes,
  JsonOptions,
  RowSchema,
  SchemaIssue,
  SchemaVerdict,
  WithSchema,
} from "./feeds/feed.ts";
export type { EnvDeclaration, EnvType, EnvTypes, EnvValue, EnvValues, FromEnv, NoEnv } from "./env/env.ts";
export type { Auth, AwsAuth, BasicAuth, BearerAuth, DigestAuth } from "./http/auth.ts";
export type { FetchOptions, MeasuredFetch, UndiciDispatcher } from "./http/fetch.ts";
export type { Fields, FieldValue, HeaderFields } from "./http/fields.ts";
export type { BatchRequest, BatchRequestOptions, BatchResponses, Http, Send } from "./http/http.ts";
export type { HttpErrorCode, HttpErrorInfo, HttpPhase } from "./http/http-error.ts";
export { httpErrorCatalog } from "./http-errors/error-catalog.ts";
export type { KnownHttpErrorCode } from "./http-errors/error-catalog.ts";
export type { ErrorExplanation } from "./http-errors/error-explanation.ts";
export type {
  DnsOptions,
  HttpOptions,
  Timeouts,
  TlsClient,
  TlsOptions,
} from "./http-options/http-options.ts";
export type { Log } from "./context/log.ts";
export type { Metric, MetricDeclaration, MetricHandles, MetricTypes, Tags } from "./metrics/metric.ts";
export { matchesTags, MetricSelectorSyntaxError, parseMetricSelector } from "./metrics/metric-selector.ts";
export type { MetricSelector, TagFilter } from "./metrics/metric-selector.ts";
export type { Random } from "./context/random.ts";
export { RequestFailedError } from "./http/request-failed-error.ts";
export { requestName, wholeRequestName } from "./http/request-name.ts";
export type {
  MultipartContent,
  MultipartFields,
  MultipartFile,
  MultipartValue,
  RequestOptions,
  RequestUrl,
} from "./http/request-options.ts";
export type {
  ConnectionInfo,
  ExchangeSize,
  Response,
  ResponseHeaders,
  Timings,
  TlsInfo,
} from "./http/response.ts";
export { parseResult } from "./result/parse-result.ts";
export type { ParsedResult } from "./result/parse-result.ts";
export { confidenceRanks, samplesForConfidence } from "./result/percentile-confidence.ts";
export { testResultSchema } from "./result/result.ts";
export type { PlannedScenario, TestResult, Verdict } from "./result/result.ts";
export { accountingSchema } from "./result/result-accounting.ts";
export type {
  Accounting,
  IterationAccounting,
  PhaseAccounting,
  RequestAccounting,
  WarmupAccounting,
} from "./result/result-accounting.ts";
export { leastJudgedMs, pausesSchema } from "./result/result-generator.ts";
export type { GeneratorResult, PausesResult, WorkerResult } from "./result/result-generator.ts";
export { processSchema } from "./result/result-process.ts";
export type {
  LinkResult,
  ProcessLimits,
  ProcessResult,
  StallResult,
  ThrottlingResult,
} from "./result/result-process.ts";
export type {
  CheckException,
  CheckResult,
  ThresholdResult,
  ThresholdWindow,
} from "./result/result-judgements.ts";
export type {
  CensoredSamples,
  CounterValues,
  GaugeValues,
  MergedResult,
  MetricResult,
  RateValues,
  SeriesResult,
  TrendResult,
  TrendValues,
} from "./result/result-metrics.ts";
export type { IntervalSnapshot } from "./result/interval-snapshot.ts";
export type { ErrorResult, IntervalResult } from "./result/result-timeline.ts";
export type { UnmeasuredResult } from "./result/result-unmeasured.ts";
export { timeOfVus } from "./result/vu-time.ts";
export type { VuTime, VuTimeFacts } from "./result/vu-time.ts";
export type { SourcePosition } from "./result/source-position.ts";
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
  Stages,
} from "./scenario/scenario.ts";
export { decodeUtf8 } from "./secrets/decode-utf8.ts";
export { decodeBase64, decodedViews, readingsOf } from "./secrets/decoded-view.ts";
export type { DecodedView } from "./secrets/decoded-view.ts";
export { findKnown, indexTexts } from "./secrets/find-known.ts";
export type { FindKnown } from "./secrets/find-known.ts";
export { findNamedSecrets } from "./secrets/find-named-secrets.ts";
export { KnownTexts, leastKnownLength } from "./secrets/known-texts.ts";
export { hasUnusualLetters } from "./secrets/letter-pairs.ts";
export { findNamedValues } from "./secrets/named-values.ts";
export type { NamedValue } from "./secrets/named-values.ts";
export { isOrdinaryWord, isPlainWords } from "./secrets/plain-words.ts";
export {
  isAmbiguousName,
  isPasswordName,
  isSecretHeader,
  isSecretName,
  isSecretUnder,
  splitWords,
} from "./secrets/secret-names.ts";
export { mergeSpans, replaceSpans } from "./secrets/span.ts";
export type { Span } from "./secrets/span.ts";
export type { StatusRange } from "./http/status-range.ts";
export { StopSignal } from "./context/stop-signal.ts";
export type {
  AnyContext,
  AnyEnv,
  AnyScenario,
  AnyTestDefinition,
  NoSetupAboveScenarios,
  TestDefinition,
} from "./definition/test-definition.ts";
export type {
  Expression,
  Threshold,
  ThresholdByMetricType,
  ThresholdList,
  ThresholdOptions,
  Thresholds,
} from "./thresholds/threshold.ts";
export { parseThreshold, ThresholdSyntaxError } from "./thresholds/threshold-expression.ts";
export type {
  Aggregation,
  ThresholdExpression,
  ThresholdOperator,
  ThresholdUnit,
} from "./thresholds/threshold-expression.ts";
export { defaultHttp } from "./http-options/default-http.ts";
export { headerRefusal, isSingularHeader } from "./http-options/header-rules.ts";
export {
  destinationProblem,
  hostKey,
  hostKeyProblem,
  readDestination,
} from "./http-options/host-destinations.ts";
export type { Destination } from "./http-options/host-destinations.ts";
export { httpContradictions } from "./http-options/http-contradictions.ts";
export { authSecrets } from "./http/auth.ts";
export { proxyProblem, socketPathProblem } from "./http-options/http-rules.ts";
export type { Problem } from "./validation/problem.ts";
export { readEnvValue } from "./env/env-value.ts";
export type { ReadEnvValue } from "./env/env-value.ts";
export { needsEnv, resolveTest } from "./definition/resolve-test.ts";
export { declaredEnv, validateTest } from "./definition/validate-test.ts";
export type { TestValidation } from "./definition/validate-test.ts";
export type {
  ValidatedConstantArrivalRate,
  ValidatedConstantVus,
  ValidatedEnv,
  ValidatedFeed,
  ValidatedIterations,
  ValidatedMetric,
  ValidatedOpenModel,
  ValidatedRampingArrivalRate,
  ValidatedRampingVus,
  ValidatedScenario,
  ValidatedScenarioBase,
  ValidatedStage,
  ValidatedTagFilter,
  ValidatedTest,
  ValidatedThreshold,
} from "./definition/validated-test.ts";
export type {
  TlsVersion,
  ValidatedDns,
  ValidatedHttp,
  ValidatedTimeouts,
  ValidatedTls,
  ValidatedTlsClient,
} from "./http-options/validated-http.ts";
