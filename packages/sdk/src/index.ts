export { BearhugError } from "./bearhug-error.ts";
export type {
  Checks,
  Context,
  Iteration,
  IterationTags,
  SetupContext,
  TeardownContext,
  VirtualUser,
} from "./context/context.ts";
export type { Log } from "./context/log.ts";
export type { Random } from "./context/random.ts";
export { StopSignal } from "./context/stop-signal.ts";
export { defineTest } from "./definition/define-test.ts";
export type { Test } from "./definition/define-test.ts";
export type { TestDefinition } from "./definition/test-definition.ts";
export type { Duration } from "./duration/duration.ts";
export type { EnvDeclaration, EnvValue, EnvValues, FromEnv, NoEnv } from "./env/env.ts";
export { ExtractError } from "./extract/extract-error.ts";
export { extract } from "./extract/extract.ts";
export type { ExtractableResponse } from "./extract/extract.ts";
export type { Extractor } from "./extract/extractor.ts";
export { InvalidExtractorError } from "./extract/invalid-extractor-error.ts";
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
export type { KnownHttpErrorCode } from "./http-errors/error-catalog.ts";
export type { DnsOptions } from "./http-options/dns.ts";
export type { HttpOptions } from "./http-options/http-options.ts";
export type { Timeouts } from "./http-options/timeouts.ts";
export type { TlsClient, TlsOptions } from "./http-options/tls.ts";
export type { Auth, AwsAuth, BasicAuth, BearerAuth, DigestAuth } from "./http-options/auth.ts";
export { BodyUnavailableError } from "./http/body-unavailable-error.ts";
export type { CookieJar, CookieOptions } from "./http/cookies.ts";
export type { FetchOptions, MeasuredFetch, UndiciDispatcher } from "./http/fetch.ts";
export type { Fields, FieldValue, HeaderFields } from "./http/fields.ts";
export type { HttpErrorCode, HttpErrorInfo, HttpPhase } from "./http/http-error.ts";
export type { BatchRequest, BatchRequestOptions, BatchResponses, Http, Send } from "./http/http.ts";
export { RequestFailedError } from "./http/request-failed-error.ts";
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
export type { StatusRange } from "./http-options/expect.ts";
export type { BuiltInMetricName, MetricType } from "./metrics/built-in-metrics.ts";
export type { Metric, MetricDeclaration, Tags } from "./metrics/metric.ts";
export type { IntervalSnapshot } from "./result/interval-snapshot.ts";
export { parseResult } from "./result/parse-result.ts";
export type { ParsedResult } from "./result/parse-result.ts";
export type { Reporter, RunDescription } from "./result/reporter.ts";
export type { Accounting } from "./result/result-accounting.ts";
export type { GeneratorResult } from "./result/result-generator.ts";
export type { CheckResult, ThresholdResult } from "./result/result-judgements.ts";
export type { MetricResult, SeriesResult } from "./result/result-metrics.ts";
export type { ClientInterval, ErrorResult, IntervalResult } from "./result/result-timeline.ts";
export type { TestResult, Verdict } from "./result/result.ts";
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
