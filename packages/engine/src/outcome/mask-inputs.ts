import { type TagFilter, writeMetricSelector } from "@bearhug/metrics/metric-selector";
import type { Tags } from "@bearhug/metrics/tags";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import { bodyKindOfHeaders } from "@bearhug/plan/body-kind";
import type { MonitorReport } from "@bearhug/plan/monitors/monitor";
import type { Thrown, WorkerSnapshot } from "@bearhug/plan/protocol/messages";
import type { SampleKind } from "@bearhug/plan/protocol/shared-samples";
import type { Accounting, TestResult } from "@bearhug/sdk";
import type {
  PhaseAccounting,
  ExchangeExemplar,
  ExemplarMessage,
  ExemplarsResult,
} from "@bearhug/sdk/result";
import { capMessage } from "@bearhug/text/cap-text";
import { asMasked } from "@bearhug/text/masked-text";
import type { Hide } from "@bearhug/text/secret-mask";

import { mergeRequests } from "./account.ts";
import type { RecordedRun } from "./run-record.ts";
import type { RunState } from "./run-state.ts";
import type { Locate } from "./run.ts";

/*
 * Everything that enters the outcome of a run passes through one of these functions once, so that verdicts,
 * results and recordings hold no secrets. bearhug's own texts are not changed. maskResult masks secrets that
 * became known later.
 */

export function maskRun(run: RecordedRun, mask: Hide): RecordedRun {
  const { plan } = run;
  return {
    ...run,
    plan: plan === null ? null : maskPlan(plan, mask),
    thresholds: run.thresholds.map((one) => ({ ...one, threshold: maskThreshold(one.threshold, mask) })),
    monitors: run.monitors.map((one) => maskTexts(one, mask, "source")),
  };
}

/** Masks the tag values of a threshold's filters as those of samples are masked, so that they still match. */
export function maskThreshold(threshold: ValidatedThreshold, mask: Hide): ValidatedThreshold {
  const { metric, filters } = threshold.selector;
  const selector = { metric, filters: filters.map((filter) => maskFilter(filter, mask)) };
  if (selector.filters.every(({ value }, index) => value === filters[index]?.value)) return threshold;
  return { ...threshold, metric: writeMetricSelector(selector), selector };
}

function maskFilter(filter: TagFilter, mask: Hide): TagFilter {
  const value: string = mask(filter.value);
  if (filter.operator !== "matches") return { ...filter, value };
  if (value === filter.value) return filter;
  const pattern = readPattern(value.replaceAll("***", "\\*\\*\\*"));
  return { ...filter, value: pattern.source, pattern };
}

function readPattern(source: string): RegExp {
  try {
    return new RegExp(source);
  } catch {
    // The secret overlapped a group or class, so the rest is not a valid expression.
    return /\*\*\*/;
  }
}

function maskPlan(plan: NonNullable<RecordedRun["plan"]>, mask: Hide): NonNullable<RecordedRun["plan"]> {
  return {
    ...maskTexts(plan, mask, "testName", "baseUrl"),
    allowHosts: plan.allowHosts.map((one) => mask(one)),
    ...(plan.variants && {
      variants: { ...plan.variants, names: plan.variants.names.map((one) => mask(one)) },
    }),
    scenarios: plan.scenarios.map((planned) => ({
      ...planned,
      scenario: maskTexts(planned.scenario, mask, "name"),
    })),
  };
}

export function maskState(state: RunState, mask: Hide): RunState {
  return {
    ...maskTexts(state, mask, "abortReason"),
    accounting: maskAccounting(state.accounting, mask),
    workers: state.workers.map((worker) => ({
      ...worker,
      lost: worker.lost === null ? null : capMessage(mask(worker.lost)),
    })),
    failures: state.failures.map(({ stage, thrown }) => ({ stage, thrown: maskThrown(thrown, mask) })),
    unmeasured: state.unmeasured.map((one) => maskTexts(one, mask, "host")),
  };
}

/** Masks and caps the source lines that `locate` returns. */
export function maskLocate(locate: Locate, mask: Hide): Locate {
  return (position) => {
    const found = locate(position);
    return (
      found && { ...found, frame: found.frame === null ? null : capMessage(mask(found.frame, "source")) }
    );
  };
}

function maskThrown(thrown: Thrown, mask: Hide): Thrown {
  const { failedRequests } = thrown;
  return {
    ...maskTexts(thrown, mask, "message"),
    ...(failedRequests && {
      failedRequests: failedRequests.map((one) => maskTexts(one, mask, "name", "origin")),
    }),
  };
}

/** Masks names, and merges the rows of names that differ only in a secret. */
function maskAccounting(accounting: Accounting, mask: Hide): Accounting {
  const masked = <Phase extends PhaseAccounting>(phase: Phase): Phase => ({
    ...phase,
    requests: mergeRequests(phase.requests.map((row) => maskTexts(row, mask, "name"))),
    ...(phase.oddities && { oddities: phase.oddities.map((odd) => maskTexts(odd, mask, "name", "message")) }),
  });
  const { setup, teardown, vuState, warmup } = accounting;
  return {
    ...masked(accounting),
    setup: masked(setup),
    teardown: masked(teardown),
    ...(vuState && { vuState: masked(vuState) }),
    warmup: warmup === null ? null : masked(warmup),
  };
}

export function maskSampleKind(kind: SampleKind, mask: Hide): SampleKind {
  return { ...kind, tags: maskTags(kind.tags, mask) };
}

export function maskSnapshot(snapshot: WorkerSnapshot, mask: Hide): WorkerSnapshot {
  const { exemplars, targets } = snapshot;
  return {
    ...snapshot,
    series: snapshot.series.map((series) =>
      series.tags === null ? series : { ...series, tags: maskTags(series.tags, mask) },
    ),
    errors: snapshot.errors.map((error) => ({
      ...maskTexts(error, mask, "message", "name"),
      ...(error.origin === undefined ? {} : { origin: mask(error.origin) }),
    })),
    checkFaults: snapshot.checkFaults.map((fault) => ({
      ...maskTexts(fault, mask, "check", "scenario", "page", "group"),
      message: asMasked(capMessage(mask(fault.message))),
    })),
    unmeasured: snapshot.unmeasured.map((one) => maskTexts(one, mask, "host")),
    overflow: maskTexts(snapshot.overflow, mask, "name", "tags"),
    ...(targets && {
      targets: targets.map((target) => ({
        ...maskTexts(target, mask, "scenario", "origin"),
        ...(target.redirect && { redirect: maskTexts(target.redirect, mask, "name", "location") }),
        ...(target.sentToLogin && {
          sentToLogin: target.sentToLogin.map((one) => maskTexts(one, mask, "name", "page")),
        }),
      })),
    }),
    ...(exemplars && { exemplars: maskExemplars(exemplars, mask) }),
  };
}

export function maskReport(report: MonitorReport, mask: Hide): MonitorReport {
  return maskTexts(report, mask, "gap");
}

/**
 * Masks the texts of a finished result again, because a secret may have become known after a text that
 * contains it.
 */
export function maskResult(result: TestResult, mask: Hide): TestResult {
  const named = <Row extends { readonly name: string }>(rows: readonly Row[]): Row[] =>
    rows.map((row) => maskTexts(row, mask, "name"));
  return {
    ...result,
    messages: result.messages.map((one) => maskReason(one, mask)),
    notes: result.notes.map((one) => mask(one)),
    plan: { ...result.plan, scenarios: named(result.plan.scenarios) },
    checks: result.checks.map((check) => ({
      ...maskTexts(check, mask, "name", "scenario", "page", "group"),
      exception: check.exception && maskTexts(check.exception, mask, "message"),
    })),
    series: maskSeries(result.series, mask),
    scenarios: named(result.scenarios),
    groups: named(result.groups),
    pages: named(result.pages),
    names: named(result.names),
    ...(result.variants && { variants: { ...result.variants, variants: named(result.variants.variants) } }),
    errors: result.errors.map((error) => maskTexts(error, mask, "name", "message")),
    monitors: result.monitors.map((monitor) => ({
      ...maskTexts(monitor, mask, "source"),
      gaps: monitor.gaps.map((gap) => maskTexts(gap, mask, "reason")),
    })),
    ...(result.attribution === undefined ? {} : { attribution: mask(result.attribution) }),
    ...(result.exemplars && { exemplars: maskExemplars(result.exemplars, mask) }),
  };
}

/** Masks the tags of series. Caches by tags object, because all metrics of a series share one. */
function maskSeries(series: TestResult["series"], mask: Hide): TestResult["series"] {
  const masked = new Map<Tags, Tags>();
  return series.map((one) => {
    const tags = masked.get(one.tags) ?? maskTags(one.tags, mask);
    masked.set(one.tags, tags);
    return tags === one.tags ? one : { ...one, tags };
  });
}

/** Masks a reason: a sentence, perhaps followed by lines of the test's source. */
function maskReason(reason: string, mask: Hide): string {
  const [text = "", ...frame] = reason.split("\n");
  return frame.length === 0 ? mask(text) : `${mask(text)}\n${mask(frame.join("\n"), "source")}`;
}

function maskTags(tags: Tags, mask: Hide): Tags {
  return maskTexts(tags, mask, ...Object.keys(tags));
}

/** Masks these texts of a row. Returns the same row if there is nothing to mask. */
function maskTexts<Key extends string, Row extends Readonly<Record<Key, string | null>>>(
  row: Row,
  mask: Hide,
  ...keys: readonly Key[]
): Row {
  let masked = row;
  for (const key of keys) {
    const text = row[key];
    const shown: string | null = text === null ? null : mask(text);
    if (shown !== text) masked = { ...masked, [key]: shown };
  }
  return masked;
}

/** Masks secrets in exemplars. The worker has already masked their texts and then cut them. */
function maskExemplars({ pages, errors }: ExemplarsResult, mask: Hide): ExemplarsResult {
  return {
    pages: pages.map((visit) => ({
      ...maskTexts(visit, mask, "page", "scenario"),
      exchanges: visit.exchanges.map((exchange) => maskExchange(exchange, mask)),
    })),
    errors: errors.map((exchange) => ({
      ...maskTexts(maskExchange(exchange, mask), mask, "message", "scenario", "page"),
      request: maskMessage(exchange.request, mask),
      response: exchange.response && maskMessage(exchange.response, mask),
    })),
  };
}

function maskExchange<Exchange extends ExchangeExemplar>(exchange: Exchange, mask: Hide): Exchange {
  const { traceId } = exchange;
  // A test may set its own `traceparent`.
  const trace = traceId === undefined ? {} : { traceId: mask(traceId) };
  return { ...maskTexts(exchange, mask, "name", "url"), ...trace };
}

function maskMessage({ headers, body }: ExemplarMessage, mask: Hide): ExemplarMessage {
  const kind = bodyKindOfHeaders(headers);
  return {
    headers: headers.map(([name, value]) => [mask(name), mask(value)]),
    body: body && { ...body, text: body.text === null ? null : mask(body.text, kind) },
  };
}
