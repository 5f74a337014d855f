import { readGaugeName } from "@bearhug/metrics/gauge-name";
import { isBuiltInTag } from "@bearhug/metrics/tags";
import {
  parseThreshold,
  splitThreshold,
  type ValidatedThreshold,
} from "@bearhug/metrics/thresholds/read-threshold";
import { checkThreshold } from "@bearhug/metrics/thresholds/threshold-language";
import { builtInMetrics, isBuiltInMetric } from "@bearhug/sdk/internal";
import { closestName } from "@bearhug/text/closest-name";
import { errorMessage } from "@bearhug/text/caught-error";

import {
  gaugeFilterProblem,
  impossibleFilters,
  judgedMetric,
  requestTags,
} from "../definition/declared-thresholds.ts";
import type { TestProblem } from "../definition/invalid-test.ts";
import type { ValidatedTest } from "../definition/validated-test.ts";
import { unknownMonitor, type MonitorRequest } from "../monitors/monitor-kinds.ts";
import { pathOfThreshold } from "./plan-problem.ts";
import type { Sharding } from "./sharding.ts";

/** Reads one `--threshold`. Returns undefined and adds a problem if it is invalid. */
export function readThresholdOption(text: string, problems: string[]): ValidatedThreshold | undefined {
  const split = splitThreshold(text);
  if (split === null) {
    problems.push(
      `--threshold "${text}": must be written "metric: expression", such as "http_req_duration: p(95)<500ms".`,
    );
    return undefined;
  }
  try {
    return {
      ...parseThreshold(split.metric, split.expression),
      abortOnFail: false,
      delayAbortEvalMs: 0,
      windowMs: null,
      allowEmpty: false,
    };
  } catch (error) {
    problems.push(ofFlag(errorMessage(error)));
    return undefined;
  }
}

/** Checks the thresholds of the command line as far as possible before the test is loaded. */
export function earlyThresholdProblems(
  { thresholds, ...options }: MonitoredOptions & { readonly thresholds: readonly ValidatedThreshold[] },
  hasOwnMetrics: boolean,
): string[] {
  const known = thresholds.filter(({ selector }) => !hasOwnMetrics || isBuiltInMetric(selector.metric));
  return [
    ...known.flatMap((threshold) => thresholdOptionProblems(threshold, {})),
    ...unmonitoredThresholds(known, {}, options).map(({ message }) => message),
  ].map(ofFlag);
}

/** Names the flag in a problem of a threshold, which may name the threshold itself. */
function ofFlag(problem: string): string {
  return problem.startsWith("Threshold ")
    ? problem.replace("Threshold", "--threshold")
    : `--threshold: ${problem}`;
}

/** The options that say which gauges of monitors a run has. */
interface MonitoredOptions {
  readonly monitors: readonly MonitorRequest[];
  readonly sharding: Pick<Sharding, "shard">;
}

/** Describes the problems of a threshold of the command line, for a test with these metrics of its own. */
export function thresholdOptionProblems(
  threshold: ValidatedThreshold,
  ownMetrics: ValidatedTest["metrics"],
): string[] {
  const impossible = impossibleFilters(threshold.selector);
  return [
    ...metricProblems(threshold, ownMetrics),
    ...impossible.map((problem) => `Threshold "${threshold.metric}": ${problem}`),
  ];
}

function metricProblems(threshold: ValidatedThreshold, ownMetrics: ValidatedTest["metrics"]): string[] {
  const { metric: key, selector } = threshold;
  const { metric, filters } = selector;
  const judged = judgedMetric(metric, ownMetrics[metric]);
  if (judged === undefined) {
    const suggestion = closestName(metric, [...Object.keys(ownMetrics), ...Object.keys(builtInMetrics)]);
    const hint = suggestion === undefined ? "" : ` Did you mean ${suggestion}?`;
    return [`Threshold "${key}": no metric is called ${metric}.${hint}`];
  }
  if (judged.type === "monitored gauge" && filters.length > 0)
    return [`Threshold "${key}": ${gaugeFilterProblem(metric)}.`];
  const problem = checkThreshold(judged, threshold);
  return problem === null ? [] : [problem];
}

/** Describes thresholds on gauges of monitors that a run lacks. A shard judges no thresholds, so it needs no monitors. */
export function unmonitoredThresholds(
  thresholds: readonly ValidatedThreshold[],
  ownMetrics: ValidatedTest["metrics"],
  { monitors, sharding }: MonitoredOptions,
): TestProblem[] {
  if (sharding.shard !== null) return [];
  const names = monitors.map(({ name }) => name);
  const known = new Set([...Object.keys(builtInMetrics), ...Object.keys(ownMetrics)]);
  return thresholds.flatMap(({ metric: key, selector: { metric }, allowEmpty }) => {
    const monitor = known.has(metric) ? undefined : readGaugeName(metric)?.monitor;
    if (monitor === undefined || names.includes(monitor) || allowEmpty) return [];
    const message = `Threshold "${key}": ${unknownMonitor(monitor, names)} With allowEmpty: true, the threshold passes without it.`;
    return [{ path: pathOfThreshold(key), code: "INVALID_OPTION", message }];
  });
}

/** k6's tags that have another name in bearhug, or none. */
const tagsOfK6: ReadonlyMap<string, string | null> = new Map([
  ["url", "name"],
  ["proto", "protocol"],
  ...["subproto", "error", "error_code", "tls_version", "vu", "iter", "ip", "service"].map(
    (name) => [name, null] as const,
  ),
]);

const builtIn = ["scenario", "page", "group", ...requestTags];

/**
 * Describes filters that may be a mistake, because only the test's own code could set their tags. `ownTags`
 * are the tags that the test or the command line puts on all samples, or on those of a scenario.
 */
export function doubtfulFilters(
  { metric, selector, allowEmpty }: Pick<ValidatedThreshold, "metric" | "selector" | "allowEmpty">,
  ownTags: ReadonlySet<string>,
): string[] {
  if (allowEmpty) return [];
  return selector.filters.flatMap(({ tag }) => {
    if (isBuiltInTag(tag) || ownTags.has(tag)) return [];
    const suggestion = tagsOfK6.has(tag) ? tagsOfK6.get(tag) : closestName(tag, builtIn);
    if (suggestion === undefined) return [];
    const hint = suggestion === null ? "" : ` Did you mean ${suggestion}?`;
    return [`threshold "${metric}": no sample has a tag ${tag} unless the test sets it.${hint}`];
  });
}
