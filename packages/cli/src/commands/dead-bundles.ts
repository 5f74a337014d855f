import { tmpdir } from "node:os";
import { dirname } from "node:path";

import type { DefinitionSource } from "../protocol/definition-source.ts";
import { isRunning } from "../recording/is-running.ts";
import { removeDeadFolders } from "../test-file/run-folders.ts";

/** Removes bundles of runs that were killed, wherever this run might have put its own. */
export async function removeDeadBundles(source: DefinitionSource): Promise<void> {
  const beside = source.kind === "module" ? [dirname(dirname(source.bundlePath))] : [];
  const nowMs = Date.now();
  const parents = new Set([...beside, tmpdir()]);
  await Promise.all(Array.from(parents, (parent) => removeDeadFolders(parent, nowMs, isAlive)));
}

/** A run writes nothing into its bundle's folder: however old that is, its process counts. */
async function isAlive(pid: number, ageMs: number): Promise<boolean> {
  return isRunning(pid, pid === process.pid ? ageMs : 0);
}
