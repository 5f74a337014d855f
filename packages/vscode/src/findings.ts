import { resolve } from "node:path";

import type { TestResult, ThresholdResult } from "@bearhug/sdk";

import type { Place } from "./test-list.ts";

/** The outcome of a run, for the Test Explorer. */
export interface RunOutcome {
  readonly verdict: TestResult["verdict"];
  /** The reasons for the verdict. */
  readonly reasons: readonly string[];
  /** Failed thresholds, and exceptions of the test's own code. */
  readonly findings: readonly Finding[];
}

/** A failure, with its place in the sources if known. */
export interface Finding {
  readonly message: string;
  /** The scenario; null for the test as a whole. */
  readonly scenario: string | null;
  readonly place: Place | null;
}

/**
 * Reads a result document.
 * @param folder the folder in which the run was started
 * @throws {TypeError} if it is something else, for example from another version
 */
export function readOutcome(document: string, folder: string): RunOutcome {
  const result: unknown = JSON.parse(document);
  if (!isResult(result)) throw new TypeError("The run left a result of an unknown version.");
  const { verdict, messages, thresholds, errors, checks } = result;
  const at = (source: Place | null): Place | null =>
    source === null ? null : { ...source, file: resolve(folder, source.file) };
  return {
    verdict,
    reasons: messages,
    findings: [
      ...thresholds
        .filter(({ passed }) => passed === false)
        .map((threshold) => ({
          message: describeThreshold(threshold),
          scenario: null,
          place: at(threshold.source),
        })),
      ...errors.flatMap(({ message, count, name, source }) =>
        source === undefined ? [] : [{ message: counted(message, count), scenario: name, place: at(source) }],
      ),
      ...checks.flatMap(({ name, scenario, exception }) =>
        exception === null
          ? []
          : [
              {
                message: counted(`check "${name}": ${exception.message}`, exception.count),
                scenario,
                place: at(exception.source),
              },
            ],
      ),
    ],
  };
}

/**
 * True if the schema's name matches. The fields need no check, because bearhug has just written the document.
 */
function isResult(value: unknown): value is TestResult {
  return (
    typeof value === "object" &&
    value !== null &&
    "schema" in value &&
    value.schema === ("bearhug/result@1" satisfies TestResult["schema"])
  );
}

function describeThreshold({ metric, expression, actual, unit, samples }: ThresholdResult): string {
  if (actual === null) return `${metric}: ${expression}: no samples`;
  // More digits than in the bound, so that a value never looks equal to the bound that it violates.
  const shown = `${Number(actual.toPrecision(6))}${unit === null ? "" : ` ${unit}`}`;
  return `${metric}: ${expression}: was ${shown} (${samples} ${samples === 1 ? "sample" : "samples"})`;
}

function counted(message: string, count: number): string {
  return count === 1 ? message : `${message} (${count} times)`;
}
