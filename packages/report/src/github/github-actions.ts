import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { appendFile, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";

import { sum } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";
import type { ComparisonResult } from "@bearhug/sdk/result";
import { errorCode, errorMessage } from "@bearhug/text/caught-error";

import { renderComparisonPieces } from "../comparison/render-markdown.ts";
import { words } from "../markdown/escape-markdown.ts";
import { renderMarkdownPieces } from "../markdown/render-markdown.ts";
import { annotateComparison, annotateProblems, annotateResult } from "./annotations.ts";
import { type Annotation, renderAnnotation } from "./workflow-command.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The log of a GitHub Actions job. */
export interface GithubOutput {
  /** Writes a line to the log unchanged. */
  readonly print: (line: string) => void;
  /** Warns of something that could not be written. */
  readonly warn: (text: string) => void;
}

export function isGithubActions(environment: Environment): boolean {
  return environment["GITHUB_ACTIONS"] === "true";
}

/**
 * Writes annotations, the job summary and the step outputs. Warns of each that it cannot write, and
 * continues.
 */
export class GithubActions {
  readonly #environment: Environment;
  readonly #output: GithubOutput;

  constructor(environment: Environment, output: GithubOutput) {
    this.#environment = environment;
    this.#output = output;
  }

  /** `resultPath`: the path of the JSON result; null if none was written. */
  async reportResult(result: TestResult, resultPath: string | null): Promise<void> {
    this.#annotate(annotateResult(result, this.#find));
    await this.#summarize((roomBytes) => summarizeResult(result, roomBytes));
    await this.#writeStepOutputs({
      verdict: result.verdict,
      "exit-code": String(result.exitCode),
      result: resultPath === null ? "" : resolve(resultPath),
      ...(result.comparison && { comparison: result.comparison.verdict }),
    });
  }

  async reportProblems(problems: readonly string[], exitCode: number): Promise<void> {
    this.#annotate(annotateProblems(problems, this.#find));
    await this.#summarize((roomBytes) => summarizeProblems(problems, exitCode, roomBytes));
    await this.#writeStepOutputs({ verdict: "errored", "exit-code": String(exitCode), result: "" });
  }

  /** Sets the outputs of several tests together. Each of them has set its own before. */
  async reportSeveral(verdict: string, exitCode: number): Promise<void> {
    await this.#writeStepOutputs({ verdict, "exit-code": String(exitCode), result: "" });
  }

  async reportComparison(comparison: ComparisonResult): Promise<void> {
    this.#annotate(annotateComparison(comparison));
    await this.#summarize((roomBytes) => summarizeComparison(comparison, roomBytes));
    await this.#writeStepOutputs({ comparison: comparison.verdict });
  }

  #annotate(annotations: readonly Annotation[]): void {
    for (const annotation of annotations) this.#output.print(renderAnnotation(annotation));
  }

  async #summarize(render: (roomBytes: number) => string): Promise<void> {
    await this.#append("GITHUB_STEP_SUMMARY", "the job summary", (size) => {
      const summary = render(mostSummaryBytes - size - 1);
      if (summary === "") this.#output.warn("The job summary has no room left for this run.");
      return summary;
    });
  }

  async #writeStepOutputs(outputs: StepOutputs | ComparisonOutputs): Promise<void> {
    await this.#append("GITHUB_OUTPUT", "the step outputs", () => renderStepOutputs(outputs));
  }

  /** Adds to a file that earlier commands of the step may have written to, and perhaps left without a line end. */
  async #append(variable: string, what: string, render: (size: number) => string): Promise<void> {
    const path = this.#environment[variable];
    if (path === undefined || path === "") return;
    try {
      const size = await sizeOf(path);
      const text = render(size);
      if (text !== "") await appendFile(path, size === 0 ? text : `\n${text}`);
    } catch (error) {
      const why = errorMessage(error);
      this.#output.warn(`${variable}: ${what} could not be written: ${why}.`);
    }
  }

  readonly #find = (file: string): string | null => {
    const root = real(this.#environment["GITHUB_WORKSPACE"] ?? process.cwd());
    const found = real(resolve(file));
    if (root === null || found === null) return null;
    const path = relative(root, found);
    return path === "" || path.startsWith("..") || isAbsolute(path) ? null : path.split(sep).join("/");
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return 0;
    throw error;
  }
}

/** Returns a path without symbolic links; null if the file does not exist. */
function real(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** The outputs of a run that later steps of a job can read. */
export interface StepOutputs extends Partial<ComparisonOutputs> {
  readonly verdict: string;
  readonly "exit-code": string;
  /** The path of the JSON result; empty if none was written. */
  readonly result: string;
}

/** The output of a comparison, or of a run that was compared with a baseline. */
export interface ComparisonOutputs {
  readonly comparison: ComparisonResult["verdict"];
}

/**
 * Renders lines for `GITHUB_OUTPUT`. A value ends at a random delimiter, which no value can contain on
 * purpose.
 */
export function renderStepOutputs(outputs: StepOutputs | ComparisonOutputs): string {
  return Object.entries<string>({ ...outputs })
    .map(([name, value]) => {
      const delimiter = `bearhug_${randomUUID()}`;
      return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
    })
    .join("");
}

/** GitHub drops a step's summary that is larger than 1 MiB. */
export const mostSummaryBytes = 900_000;

const cutSentence = "\nThe rest of this report is left out: a job summary holds at most 1 MiB.\n";

/** Renders a run in as many bytes as there is room for; empty if not even the verdict fits. */
export function summarizeResult(result: TestResult, roomBytes: number): string {
  return fit(renderMarkdownPieces(result), roomBytes);
}

/** Renders a comparison in as many bytes as there is room for. */
export function summarizeComparison(comparison: ComparisonResult, roomBytes: number): string {
  return fit(renderComparisonPieces(comparison), roomBytes);
}

/** Renders the problems of a run that could not start. */
export function summarizeProblems(problems: readonly string[], exitCode: number, roomBytes: number): string {
  const items = problems.map((problem) => `- ${words(problem)}\n`);
  return fit([`## ❌ bearhug: not run, exit code ${exitCode}\n\n`, ...items], roomBytes);
}

function fit(pieces: readonly string[], roomBytes: number): string {
  const sizes = pieces.map((piece) => Buffer.byteLength(piece));
  if (sum(sizes) <= roomBytes) return pieces.join("");
  let left = roomBytes - Buffer.byteLength(cutSentence);
  const end = sizes.findIndex((size) => (left -= size) < 0);
  return end <= 0 ? "" : pieces.slice(0, end).join("") + cutSentence;
}
