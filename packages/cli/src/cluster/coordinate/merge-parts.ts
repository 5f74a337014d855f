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
  /** The name of each agent, in the order of their shards; null for one that never came. */
  readonly names: readonly (string | null)[];
  readonly allowsPartial: boolean;
}

/** Makes one result of the recordings of all agents, as `bearhug merge` does; null if there is none. */
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
  return mergeRuns([first, ...others], { allowsPartial, gaps, isLed: true });
}

/** The result of the first agent whose test could not be loaded, so that it applied no load. */
async function unmergeable(parts: readonly Part[]): Promise<TestResult | null> {
  const part = parts.find(({ run }) => run.plan === null) ?? parts[0];
  return part === undefined ? null : rebuildRun(part.run, part.moments);
}
