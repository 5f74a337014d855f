export type { MetricUnit } from "./metrics/built-in-metrics.ts";
export type {
  CapacityAnswer,
  CapacityObjective,
  CapacityResult,
  CapacityTrial,
  ObjectiveReading,
  ObjectiveVerdict,
} from "./result/capacity-result.ts";
export type { CheckException, CheckResult } from "./result/check-result.ts";
export type {
  ComparedFigure,
  ComparedRun,
  ComparedSide,
  ComparisonAnswer,
  ComparisonResult,
} from "./result/comparison-result.ts";
export type {
  BodyExcerpt,
  ExchangeExemplar,
  ExemplarMessage,
  ExemplarsResult,
  FailedExchange,
  PageExemplar,
} from "./result/exemplars-result.ts";
export type {
  OverloadInterval,
  OverloadKind,
  OverloadPhase,
  OverloadRecovery,
  OverloadResult,
} from "./result/overload-result.ts";
export type {
  Accounting,
  IterationAccounting,
  OddRequests,
  PhaseAccounting,
  RequestAccounting,
  WarmupAccounting,
} from "./result/result-accounting.ts";
export type { GeneratorResult, PausesResult, WorkerResult } from "./result/result-generator.ts";
export type {
  CensoredSamples,
  MergedResult,
  MetricResult,
  SeriesBlock,
  SeriesResult,
  TrendResult,
  TrendValues,
} from "./result/result-metrics.ts";
export type { MonitorGap, MonitorResult, MonitoredGauge, MonitoredValues } from "./result/result-monitors.ts";
export type { LinkResult, ProcessResult, StallResult, ThrottlingResult } from "./result/result-process.ts";
export type { ClientInterval, ErrorResult, IntervalResult } from "./result/result-timeline.ts";
export type { UnmeasuredResult } from "./result/result-unmeasured.ts";
export { parseResult } from "./result/result.ts";
export type { ParsedResult, TestResult, Verdict } from "./result/result.ts";
export type { RunCurves, RunMoment } from "./result/run-curves.ts";
export type { SourcePosition } from "./result/source-position.ts";
export type {
  DescribedStep,
  ScalabilityFit,
  SweepEnding,
  SweepKnee,
  SweepResult,
  SweepTarget,
} from "./result/sweep-result.ts";
export type { ThresholdResult } from "./result/threshold-result.ts";
export type { TrialLoad, TrialResult, TrialTimes } from "./result/trial-result.ts";
export type {
  ComparedFigureName,
  VariantDifference,
  VariantFigure,
  VariantFigureName,
  VariantOutage,
  VariantResult,
  VariantsResult,
} from "./result/variants-result.ts";
export { classifyVuTime } from "./result/vu-time.ts";
export type { VuTime, VuTimeSource } from "./result/vu-time.ts";
