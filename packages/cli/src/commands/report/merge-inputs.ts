import type { ResultPart } from "@bearhug/engine/outcome/merge/check-results";
import type { Part } from "@bearhug/engine/outcome/merge/part";
import { InvalidInput } from "@bearhug/sdk";

import { openSaved } from "./report.ts";

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
      const saved = await openSaved(file);
      if ("moments" in saved) recordings.push({ name: file, run: saved.head.run, moments: saved.moments });
      else results.push({ name: file, result: saved });
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      problems.push(...error.problems);
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
