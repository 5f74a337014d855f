import { stat } from "node:fs/promises";

import type { ResultPart } from "@bearhug/engine/outcome/merge/check-results";
import type { Part } from "@bearhug/engine/outcome/merge/part";
import { isCompressed, readRecording } from "@bearhug/engine/recording/read-recording";
import { standardInput } from "@bearhug/plan/test-file/standard-input";
import { InvalidInput } from "@bearhug/sdk";

import { readResult } from "./report.ts";

/** Inputs of a merge: either recordings of shards, or results. */
export type MergeInputs =
  | { readonly kind: "recordings"; readonly parts: readonly Part[] }
  | { readonly kind: "results"; readonly parts: readonly [ResultPart, ...ResultPart[]] };

/** @throws {InvalidInput} with a sentence for each file that cannot be merged */
export async function openInputs(files: readonly string[]): Promise<MergeInputs> {
  const problems: string[] = [];
  const recordings: Part[] = [];
  const results: ResultPart[] = [];
  for (const file of files) {
    try {
      if (await isRecording(file)) recordings.push(await openRecording(file));
      else results.push({ name: file, result: await readResult(file) });
    } catch (error) {
      if (error instanceof InvalidInput) problems.push(...error.problems);
      else if (error instanceof Error && "syscall" in error) problems.push(describeUnreadable(file, error));
      else throw error;
    }
  }
  const [recording] = recordings;
  const [result, ...others] = results;
  if (recording !== undefined && result !== undefined)
    problems.push(
      `${recording.name} is a recording, and ${result.name} is a result: merge recordings alone, or results alone.`,
    );
  if (problems.length > 0) throw new InvalidInput(problems);
  return result === undefined
    ? { kind: "recordings", parts: recordings }
    : { kind: "results", parts: [result, ...others] };
}

async function isRecording(file: string): Promise<boolean> {
  if (file === standardInput) return false;
  if (!(await stat(file)).isFile()) throw new InvalidInput([`${file} is not a file.`]);
  return isCompressed(file);
}

async function openRecording(name: string): Promise<Part> {
  const { head, moments } = await readRecording(name);
  return { name, run: head.run, moments };
}

function describeUnreadable(file: string, error: Error): string {
  return "code" in error && error.code === "ENOENT"
    ? `There is no file ${file}.`
    : `${file}: ${error.message}.`;
}
