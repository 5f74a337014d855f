export { aggregationName, checkAggregation } from "./check-aggregation.ts";
export type { JudgedMetric } from "./check-aggregation.ts";
export { capMessage, capName } from "./cap-text.ts";
export { closestName } from "./validation/closest-name.ts";
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
export type { Extractor } from "./extractor.ts";
export { fromBase64 } from "./from-base64.ts";
export { BearhugError } from "./bearhug-error.ts";
export { BodyUnavailableError } from "./body-unavailable-error.ts";
export { builtInMetrics, isBuiltInMetric } from "./built-in-metrics.ts";
export type { BuiltInMetricName, BuiltInMetrics, MetricType, MetricUnit } from "./built-in-metrics.ts";
export { isBuiltInTag } from "./built-in-tags.ts";
export type {
  Checks,
  Context,
  Iteration,
  IterationTags,
  SetupContext,
  TeardownContext,
  VirtualUser,
} from "./context.ts";
export type { CookieJar, CookieOptions } from "./cookies.ts";
export { defineTest, definitionOf, isTest } from "./define-test.ts";
export type { Test } from "./define-test.ts";
export { DurationSyntaxError, parseDuration } from "./duration.ts";
export type { Duration } from "./duration.ts";
export { csv, json, ndjson, rows } from "./feed.ts";
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
} from "./feed.ts";
export type { EnvDeclaration, EnvType, EnvTypes, EnvValue, EnvValues, FromEnv, NoEnv } from "./env.ts";
export type { Auth, AwsAuth, BasicAuth, BearerAuth, DigestAuth } from "./auth.ts";
export type { FetchOptions, MeasuredFetch, UndiciDispatcher } from "./fetch.ts";
export type { Fields, FieldValue, HeaderFields } from "./fields.ts";
export type { BatchRequest, BatchRequestOptions, BatchResponses, Http, Send } from "./http.ts";
export type { HttpErrorCode, HttpErrorInfo, HttpPhase } from "./http-error.ts";
export { httpErrorCatalog } from "./http-errors/error-catalog.ts";
export type { KnownHttpErrorCode } from "./http-errors/error-catalog.ts";
export type { ErrorExplanation } from "./http-errors/error-explanation.ts";
export type { DnsOptions, HttpOptions, Timeouts, TlsClient, TlsOptions } from "./http-options.ts";
export type { Log } from "./log.ts";
export type { Metric, MetricDeclaration, MetricHandles, MetricTypes, Tags } from "./metric.ts";
export { matchesTags, MetricSelectorSyntaxError, parseMetricSelector } from "./metric-selector.ts";
export type { MetricSelector, TagFilter } from "./metric-selector.ts";
export type { Random } from "./random.ts";
export { RequestFailedError } from "./request-failed-error.ts";
export { requestName, wholeRequestName } from "./request-name.ts";
export type {
  MultipartContent,
  MultipartFields,
  MultipartFile,
  MultipartValue,
  RequestOptions,
  RequestUrl,
} from "./request-options.ts";
export type {
  ConnectionInfo,
  ExchangeSize,
  Response,
  ResponseHeaders,
  Timings,
  TlsInfo,
} from "./response.ts";
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
} from "./scenario.ts";
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
export type { StatusRange } from "./status-range.ts";
export { StopSignal } from "./stop-signal.ts";
export type {
  AnyContext,
  AnyEnv,
  AnyScenario,
  AnyTestDefinition,
  NoSetupAboveScenarios,
  TestDefinition,
} from "./test-definition.ts";
export type {
  Expression,
  Threshold,
  ThresholdByMetricType,
  ThresholdList,
  ThresholdOptions,
  Thresholds,
} from "./threshold.ts";
export { parseThreshold, ThresholdSyntaxError } from "./threshold-expression.ts";
export type {
  Aggregation,
  ThresholdExpression,
  ThresholdOperator,
  ThresholdUnit,
} from "./threshold-expression.ts";
export { defaultHttp } from "./validation/default-http.ts";
export { headerRefusal, isSingularHeader } from "./validation/header-rules.ts";
export {
  destinationProblem,
  hostKey,
  hostKeyProblem,
  readDestination,
} from "./validation/host-destinations.ts";
export type { Destination } from "./validation/host-destinations.ts";
export { httpContradictions } from "./validation/http-contradictions.ts";
export { authSecrets } from "./auth.ts";
export { proxyProblem, socketPathProblem } from "./validation/http-rules.ts";
export type { Problem } from "./validation/problem.ts";
export { readEnvValue } from "./validation/env-value.ts";
export type { ReadEnvValue } from "./validation/env-value.ts";
export { needsEnv, resolveTest } from "./validation/resolve-test.ts";
export { declaredEnv, validateTest } from "./validation/validate-test.ts";
export type { TestValidation } from "./validation/validate-test.ts";
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
} from "./validation/validated-test.ts";
export type {
  TlsVersion,
  ValidatedDns,
  ValidatedHttp,
  ValidatedTimeouts,
  ValidatedTls,
  ValidatedTlsClient,
} from "./validation/validated-http.ts";
