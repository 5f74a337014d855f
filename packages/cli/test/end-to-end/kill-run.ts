import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import type { Ended } from "../kept-process/command-line.ts";
import { readResult, runBearhug, startBearhug, temporaryFolder, type Reported } from "./run-bearhug.ts";

/** Returns the paths of the recordings in a cache. */
export function recordingsIn(cache: string): string[] {
  const folder = join(cache, "bearhug", "runs");
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".gz"))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

export interface Killed {
  readonly cache: string;
  /** The path of the recording that the run left. */
  readonly path: string;
}

/** Starts the command line, and kills it with SIGKILL when `moment` resolves. */
export async function killRun(
  arguments_: readonly string[],
  moment: () => Promise<unknown>,
): Promise<Killed> {
  const cache = temporaryFolder();
  const run = startBearhug(arguments_, undefined, { XDG_CACHE_HOME: cache });
  await moment();
  const hasEnded = once(run.child, "exit");
  run.child.kill("SIGKILL");
  await hasEnded;
  const [path, ...others] = recordingsIn(cache);
  const { stderr } = await run;
  if (path === undefined || others.length > 0) throw new Error(`not one recording was left:\n${stderr}`);
  return { cache, path };
}

export function startReport(cache: string, ...arguments_: string[]): Promise<Ended> {
  return runBearhug(["report", ...arguments_], undefined, { XDG_CACHE_HOME: cache });
}

/** Reports a recording. Returns also the result. */
export async function reportRecording({ cache, path }: Killed): Promise<Reported> {
  const out = join(temporaryFolder(), "again.json");
  const ended = await startReport(cache, path, "--out", `json=${out}`);
  return { ...ended, result: readResult(out, ended) };
}
