import { existsSync } from "node:fs";

import { checkParts } from "@bearhug/engine/outcome/merge/check-parts";
import { mergeRuns } from "@bearhug/engine/outcome/merge/merge-runs";
import type { Part } from "@bearhug/engine/outcome/merge/part";
import { rebuildRun } from "@bearhug/engine/outcome/rebuild-run";
import { readHead, readRecording } from "@bearhug/engine/recording/read-recording";
import type { TestResult } from "@bearhug/sdk";

import type { RunFolder } from "./run-folder.ts";

export interface PartsOfRun {
  readonly folder: RunFolder;
  /** The name of each agent, by shard; null if it never joined. */
  readonly names: readonly (string | null)[];
  readonly allowsPartial: boolean;
}

/** Merges the recordings of all agents, like `bearhug merge`; null if there are none. */
export async function mergeParts({ folder, names, allowsPartial }: PartsOfRun): Promise<TestResult | null> {
  const given: Part[] = [];
  for (const [shard, name] of names.entries()) {
    const path = folder.part(shard);
    if (!existsSync(path) || (await readHead(path)) === null) continue;
    const { head, moments } = await readRecording(path);
    given.push({ name: name ?? `shard ${shard + 1}`, run: head.run, moments });
  }
  const { parts, refusals, gaps } = checkParts(given);
  const [first, ...others] = parts;
  if (first === undefined || refusals.length > 0) return unmergeable(given);
  return mergeRuns([first, ...others], { allowsPartial, gaps, hasCoordinator: true });
}

/**
 * Returns the result of one agent if the recordings cannot be merged: preferably one whose test could not be
 * loaded.
 */
async function unmergeable(parts: readonly Part[]): Promise<TestResult | null> {
  const part = parts.find(({ run }) => run.plan === null) ?? parts[0];
  return part === undefined ? null : rebuildRun(part.run, part.moments);
}
