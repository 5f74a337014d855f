export { BearhugError } from "./bearhug-error.ts";
export { InvalidInput } from "./invalid-input.ts";
export {
  endsAt,
  grpcStatusIs,
  hasNoField,
  isHtml,
  isJson,
  isNotHtml,
  jsonFieldIs,
  noJsonErrors,
  redirectsTo,
  statusIs,
} from "./checks/response-checks.ts";
export type {
  Checks,
  Context,
  Iteration,
  IterationTags,
  Log,
  Random,
  SetupContext,
  TeardownContext,
  VuStateContext,
  VirtualUser,
} from "./context/context.ts";
export { StopSignal } from "./context/stop-signal.ts";
export { defineTest } from "./definition/define-test.ts";
export type { Test } from "./definition/define-test.ts";
export type { Summarize, Summary, SummaryParts } from "./definition/summary.ts";
export type { TestDefinition } from "./definition/test-definition.ts";
export type { Duration } from "./duration/duration.ts";
export type { EnvDeclaration, EnvValue, EnvValues, FromEnv, NoEnv } from "./env/env.ts";
export { defineConfig } from "./config/config.ts";
export type { Config } from "./config/config.ts";
export { extract, ExtractError } from "./extract/extract.ts";
export type { ExtractableResponse } from "./extract/extract.ts";
export { InvalidExtractorError } from "./extract/extractor.ts";
export type { Extractor } from "./extract/extractor.ts";
export { csv, json, ndjson, rows } from "./feeds/feed.ts";
export type {
  CsvOptions,
  Feed,
  FeedDeclaration,
  FeedFile,
  FeedHandle,
  FeedOptions,
  JsonOptions,
  RowSchema,
} from "./feeds/feed.ts";
export type { CookieJar, CookieOptions } from "./http/cookies.ts";
export type { FetchOptions, MeasuredFetch, UndiciDispatcher } from "./http/fetch.ts";
export type { BatchRequest, BatchRequestOptions, BatchResponses, Http, Send } from "./http/http.ts";
export type {
  Fields,
  FieldValue,
  MultipartContent,
  MultipartFields,
  MultipartFile,
  MultipartValue,
  RequestOptions,
} from "./http/request-options.ts";
export type { RequestUrl } from "./http/request-url.ts";
export { BodyUnavailableError, RequestFailedError } from "./http/response.ts";
export type { HttpPhase, RequestPhases, Timings } from "./http/timings.ts";
export type {
  ConnectionInfo,
  ExchangeSize,
  HttpErrorCode,
  HttpErrorInfo,
  Response,
  ResponseHeaders,
  TlsInfo,
} from "./http/response.ts";
export type { KnownHttpErrorCode } from "./http-errors/error-catalog.ts";
export type { Auth, AwsAuth, BasicAuth, BearerAuth, DigestAuth } from "./http-options/auth.ts";
export type { DnsOptions } from "./http-options/dns.ts";
export type { StatusRange, HeaderFields } from "./http-options/http-options.ts";
export type { HttpOptions } from "./http-options/http-options.ts";
export type { Timeouts } from "./http-options/timeouts.ts";
export type { TlsClient, TlsOptions } from "./http-options/tls.ts";
export type { BuiltInMetricName, MetricType } from "./metrics/built-in-metrics.ts";
export type { Metric, MetricDeclaration, Tags } from "./metrics/metric.ts";
export type { EndLine, IntervalLine, NdjsonLine, RunLine, SampleLine } from "./result/ndjson.ts";
export type { CheckResult } from "./result/check-result.ts";
export type {
  ErrorCount,
  IntervalSnapshot,
  Reporter,
  RunDescription,
  ScenarioSnapshot,
  GaugeReading,
  MonitorStanding,
  ThresholdStanding,
  VariantTurn,
} from "./result/reporter.ts";
export type {
  CounterInterval,
  GaugeInterval,
  IntervalSeries,
  RateInterval,
  TrendInterval,
} from "./result/interval-series.ts";
export type { Accounting } from "./result/result-accounting.ts";
export type { GeneratorResult } from "./result/result-generator.ts";
export type { MetricResult, SeriesResult } from "./result/result-metrics.ts";
export type { ClientInterval, ErrorResult, IntervalResult } from "./result/result-timeline.ts";
export { parseResult } from "./result/result.ts";
export type { ParsedResult, TestResult, Verdict } from "./result/result.ts";
export type { ThresholdResult } from "./result/threshold-result.ts";
export type {
  ConstantArrivalRate,
  ConstantVus,
  ExecutorName,
  PerVuIterations,
  RampingArrivalRate,
  RampingVus,
  Scenario,
  SharedIterations,
  Stage,
  Stages,
} from "./scenario/scenario.ts";
export { fromBase64 } from "./text/from-base64.ts";
export type { Threshold, ThresholdOptions, Thresholds } from "./thresholds/threshold.ts";
export type { Problem } from "./validation/problem.ts";
