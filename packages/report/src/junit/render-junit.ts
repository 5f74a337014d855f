import { writePosition } from "@bearhug/metrics/results/source-position";
import { sumFigures } from "@bearhug/metrics/sum";
import { metricOfKey } from "@bearhug/metrics/thresholds/threshold-value";
import type { CheckResult, TestResult, ThresholdResult } from "@bearhug/sdk";
import { formatCount } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { curlCommand } from "../curl-command.ts";
import { describeExchange, firstExamples } from "../describe-exchange.ts";
import { reasonsBesideThresholds } from "../describe-outcome.ts";
import { stepsOf } from "../model/checks.ts";
import { detailsOf } from "../model/table.ts";
import { describeActual, describeCondition, describeFailedThreshold } from "../model/thresholds.ts";
import { renderXml, type XmlElement } from "./xml.ts";

const mostExamples = 3;

/** The outcome of a test case that did not pass. */
interface Outcome {
  readonly kind: "failure" | "error" | "skipped";
  /** One line. */
  readonly message: string;
  readonly details?: string;
}

interface Case {
  readonly name: string;
  /** The part of the class name after the test's own name. */
  readonly group: string;
  readonly outcome: Outcome | null;
  /** Details of a case that passed. */
  readonly output?: string;
}

/**
 * Renders a run as JUnit XML, in the dialect that Jenkins, GitLab and GitHub actions read. At least one case
 * fails if the run did not pass, and none if it did.
 */
export function renderJunit(result: TestResult): string {
  const suites = [
    suiteOf("run", [runCase(result)], result),
    suiteOf(
      "thresholds",
      result.thresholds.map((one) => thresholdCase(one, result)),
      result,
    ),
    suiteOf(
      "checks",
      result.checks.map((check) => checkCase(check, result)),
      result,
    ),
  ].filter(({ count }) => count.tests > 0);
  const counts = suites.map(({ count }) => count);
  return renderXml({
    name: "testsuites",
    attributes: {
      name: result.test.name,
      ...sumFigures(counts, "tests", "failures", "errors"),
      time: inSeconds(result.durationMs),
    },
    children: suites.map(({ element }) => element),
  });
}

function suiteOf(
  name: string,
  cases: readonly Case[],
  { test, startedAt, durationMs }: TestResult,
): { readonly element: XmlElement; readonly count: Record<"tests" | "failures" | "errors", number> } {
  const ended = (kind: Outcome["kind"]): number =>
    cases.filter(({ outcome }) => outcome?.kind === kind).length;
  const count = { tests: cases.length, failures: ended("failure"), errors: ended("error") };
  const attributes = {
    name,
    ...count,
    skipped: ended("skipped"),
    time: inSeconds(durationMs),
    timestamp: startedAt.replace(/\.\d+Z$/, ""),
  };
  const file = { name: "property", attributes: { name: "file", value: test.file ?? "" } };
  const properties = test.file === null ? [] : [{ name: "properties", children: [file] }];
  return {
    count,
    element: {
      name: "testsuite",
      attributes,
      children: [...properties, ...cases.map((one) => caseElement(one, test.name))],
    },
  };
}

function caseElement({ name, group, outcome, output }: Case, testName: string): XmlElement {
  const children: XmlElement[] = [];
  if (outcome !== null) {
    const { kind, message, details = message } = outcome;
    // The schema allows no attribute of `skipped`.
    children.push({ name: kind, ...(kind !== "skipped" && { attributes: { message } }), text: details });
  }
  if (output !== undefined) children.push({ name: "system-out", text: output });
  return { name: "testcase", attributes: { name, classname: `${testName}.${group}` }, children };
}

/** Returns the case of the run as a whole. It fails for every reason that is not about a threshold. */
function runCase(result: TestResult): Case {
  const { verdict, notes, partial = [] } = result;
  const reasons = reasonsBesideThresholds(result);
  const [first] = reasons;
  const kind = verdict === "failed" ? "failure" : "error";
  const outputLines = [...notes, ...(verdict === "passed" ? [] : describeExamples(result))];
  return {
    name: "the run completed as planned",
    group: "run",
    outcome:
      first === undefined
        ? notAsPlanned(partial)
        : { kind, message: first.split("\n", 1).join(""), details: [...reasons, ...partial].join("\n") },
    ...(outputLines.length > 0 && { output: outputLines.join("\n") }),
  };
}

/**
 * Returns the outcome of a run that was allowed to lack a part of its load: it has neither failed nor
 * completed as planned.
 */
function notAsPlanned(partial: readonly string[]): Outcome | null {
  const [first] = partial;
  return first === undefined ? null : { kind: "skipped", message: first, details: partial.join("\n") };
}

/** Describes a failed exchange of each of the most frequent errors, and how to send it again. */
function describeExamples(result: TestResult): string[] {
  return firstExamples(result, mostExamples).flatMap((exchange) => {
    const { command, notes } = curlCommand(exchange);
    return [`${exchange.code} in ${exchange.name}: ${describeExchange(exchange)}`, command, ...notes];
  });
}

function thresholdCase(threshold: ThresholdResult, result: TestResult): Case {
  const { passed, actual, samples, source } = threshold;
  const name = describeCondition(threshold);
  const shown = describeActual(threshold, result);
  const message = actual === null ? shown : `was ${shown}`;
  const place = source === null ? [] : [`at ${writePosition(source)}`];
  const lines = [
    name,
    `result: ${[shown, ...describeFailedThreshold(threshold)].join(", ")}`,
    `samples: ${samples}`,
    ...place,
  ];
  const failed: Outcome = { kind: "failure", message, details: lines.join("\n") };
  const skipped: Outcome = { kind: "skipped", message: "not evaluated: the run ended before that" };
  return {
    name,
    group: "thresholds",
    outcome: passed === null ? skipped : passed ? null : failed,
    ...(passed === true && { output: message }),
  };
}

/**
 * Returns the case of a check. One that did not always hold fails only if the run failed because of it:
 * because it threw each time, or because of a threshold on `checks`. Otherwise JUnit would be red although
 * the exit code is 0.
 */
function checkCase(check: CheckResult, { thresholds }: TestResult): Case {
  const { name, scenario, passes, fails, exception } = check;
  const isBroken = passes === 0 && exception?.count === fails;
  const isGated = thresholds.some(
    ({ metric, passed }) => passed === false && metricOfKey(metric) === "checks",
  );
  const total = passes + fails;
  const summary = `${formatCount(fails)} of ${formatCount(total)} evaluations failed (${formatPercent(passes / Math.max(1, total))} passed)`;
  const thrown = exception === null ? null : detailsOf(exception);
  const details = [
    summary,
    ...(exception === null
      ? []
      : [`${formatCount(exception.count)} threw; first error: ${exception.message}`]),
    ...(typeof thrown?.place === "string" ? [`at ${thrown.place}`] : []),
    ...(thrown?.frame === undefined ? [] : [thrown.frame]),
  ].join("\n");
  return {
    name,
    group: [scenario, ...stepsOf(check)].join("."),
    outcome: fails > 0 && (isBroken || isGated) ? { kind: "failure", message: summary, details } : null,
    ...(fails > 0 && !isBroken && !isGated && { output: details }),
  };
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
