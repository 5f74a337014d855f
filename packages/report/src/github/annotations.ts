import { atPosition, writePosition } from "@bearhug/metrics/results/source-position";
import { operators } from "@bearhug/metrics/thresholds/threshold-language";
import { conditionOf } from "@bearhug/metrics/thresholds/threshold-value";
import type { ErrorResult, TestResult, ThresholdResult } from "@bearhug/sdk";
import type { ComparisonResult, SourcePosition } from "@bearhug/sdk/result";
import { formatCount } from "@bearhug/text/number";
import { printable } from "@bearhug/text/printable";

import { byCount } from "../model/errors.ts";
import { reasonsBesideThresholds, splitReason } from "../describe-outcome.ts";
import { describeActual, describeCondition, describeFailedThreshold } from "../model/thresholds.ts";
import type { Annotation, AnnotationPlace } from "./workflow-command.ts";

/** GitHub shows no more than ten errors of a step. */
const mostAnnotations = 10;

/** Returns the path of a file in the repository; null for a file outside it. */
export type FindInRepository = (file: string) => string | null;

/**
 * Returns the annotations of a run, worst first: why there is no full result, then thresholds by how far they
 * were missed, then exceptions.
 */
export function annotateResult(result: TestResult, find: FindInRepository): Annotation[] {
  const exceptions = exceptionsOf(result);
  const reasons = reasonsBesideThresholds(result).map((reason) => annotateReason(reason, result, exceptions));
  const reported = new Set(reasons.map(({ exception }) => exception));
  const failed = result.thresholds
    .filter(({ passed }) => passed === false)
    .toSorted((left, right) => excessOf(right) - excessOf(left));
  const level: Annotation["level"] = result.exitCode === 0 ? "warning" : "error";
  return atMostTen([
    ...reasons.map(({ text, exception }) => ({
      level,
      title: `bearhug: ${result.verdict}`,
      message: text,
      place: placeOf(exception?.source ?? null, find) ?? placeOfFile(result.test.file, find),
    })),
    ...failed.map((threshold) => ({
      level,
      title: "bearhug: threshold failed",
      message: describeThreshold(threshold, result),
      place: placeOf(threshold.source, find) ?? placeOfFile(result.test.file, find),
    })),
    ...exceptions
      .filter((exception) => !reported.has(exception))
      .map(({ title, message, count, source }) => ({
        level,
        title: `bearhug: ${title}`,
        message: count === 1 ? message : `${message} (${formatCount(count)} times)`,
        place: placeOf(source, find),
      })),
  ]);
}

/**
 * Renders the problems of a run in the format that editors parse, a line each: `load/shop.ts:14:48: error:
 * Error: no users`.
 */
export function renderProblemLines(result: TestResult): string[] {
  return annotateResult(result, (file) => file).flatMap(({ level, message, place }) => {
    if (place === null) return [];
    return [printable(`${writePosition({ line: 1, column: 1, ...place })}: ${level}: ${message}`)];
  });
}

/** A problem that begins with a file and a line, as editors parse it, or ends with them in parentheses. */
const placedProblems = [
  /^(?<file>.+?):(?<line>\d+)(?::(?<column>\d+))?: (?:error: )?(?<message>.+)$/s,
  /^(?<message>.+) \((?<file>.+?):(?<line>\d+)(?::(?<column>\d+))?\)(?<end>\.?)$/s,
];

/**
 * Returns the annotations for problems that kept a test from running. A problem that names a file and a line is
 * placed there.
 */
export function annotateProblems(problems: readonly string[], find: FindInRepository): Annotation[] {
  return atMostTen(
    problems.map((problem) => ({
      level: "error",
      title: "bearhug: not run",
      ...(placeProblem(problem, find) ?? { message: problem, place: null }),
    })),
  );
}

function placeProblem(
  problem: string,
  find: FindInRepository,
): { readonly message: string; readonly place: AnnotationPlace } | null {
  for (const pattern of placedProblems) {
    const { file, line, column, message = "", end = "" } = pattern.exec(problem)?.groups ?? {};
    const found = file === undefined ? null : find(file);
    if (found === null) continue;
    const place = {
      file: found,
      line: Number(line),
      ...(column !== undefined && { column: Number(column) }),
    };
    return { message: message + end, place };
  }
  return null;
}

/** Returns an error for each figure that got worse, if that fails the job. */
export function annotateComparison({ messages, verdict, exitCode }: ComparisonResult): Annotation[] {
  if (exitCode === 0) return [];
  return atMostTen(
    messages.map((message) => ({
      level: "error",
      title: `bearhug compare: ${verdict}`,
      message,
      place: null,
    })),
  );
}

function atMostTen(all: readonly Annotation[]): Annotation[] {
  if (all.length <= mostAnnotations) return [...all];
  const shown = all.slice(0, mostAnnotations - 1);
  const more = `and ${formatCount(all.length - shown.length)} more problems: see the job summary`;
  return [...shown, { level: all[0]?.level ?? "error", title: "bearhug", message: more, place: null }];
}

interface Exception {
  readonly title: string;
  readonly message: string;
  readonly count: number;
  readonly source: SourcePosition;
}

/** Returns exceptions of the test's own code, the most frequent first. */
function exceptionsOf({ errors, checks }: TestResult): Exception[] {
  const thrown = errors.flatMap(({ code, name, message, count, source }: ErrorResult) =>
    source ? [{ title: `${code} in ${name}`, message, count, source }] : [],
  );
  const inChecks = checks.flatMap(({ name, exception }) =>
    exception?.source
      ? [
          {
            title: `check "${name}" threw`,
            message: exception.message,
            count: exception.count,
            source: exception.source,
          },
        ]
      : [],
  );
  return [...thrown, ...inChecks].toSorted(byCount);
}

/**
 * Finds the exception that a reason is about. Like every report, a reason names the place where it was
 * thrown.
 */
function annotateReason(
  reason: string,
  { verdict }: TestResult,
  exceptions: readonly Exception[],
): { readonly text: string; readonly exception: Exception | null } {
  const { text } = splitReason(reason);
  const exception = exceptions.find(({ source }) => reason.includes(atPosition(source)));
  return { text: text === "" ? verdict : text, exception: exception ?? null };
}

function describeThreshold(threshold: ThresholdResult, result: TestResult): string {
  const { actual } = threshold;
  const shown = describeActual(threshold, result);
  const was = [actual === null ? shown : `was ${shown}`, ...describeFailedThreshold(threshold)].join(", ");
  return `${describeCondition(threshold)}: ${was}`;
}

/** Returns the ratio by which a threshold was missed; one without a value counts as worst. */
function excessOf(threshold: ThresholdResult): number {
  const { actual } = threshold;
  if (actual === null) return Number.POSITIVE_INFINITY;
  const condition = conditionOf(threshold);
  if (condition === null) return 1;
  const { bound, operator } = condition;
  const excess = operators[operator].limits === "above" ? actual / bound : bound / actual;
  return Number.isNaN(excess) ? 1 : Math.abs(excess);
}

function placeOf(source: SourcePosition | null, find: FindInRepository): AnnotationPlace | null {
  if (source === null) return null;
  const file = find(source.file);
  return file === null ? null : { file, line: source.line, column: source.column };
}

function placeOfFile(testFile: string | null, find: FindInRepository): AnnotationPlace | null {
  const file = testFile === null ? null : find(testFile);
  return file === null ? null : { file };
}
