import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { InvalidInput } from "@bearhug/sdk";
import { z } from "@bearhug/sdk/internal";
import { tryJson } from "@bearhug/text/try-json";

import { stopOrderSchema, type StopRequest } from "../wire/messages.ts";
import type { Seat } from "./roster.ts";

/** The state that a coordinator needs after a restart, besides the records of its agents. */
export interface KeptState {
  readonly runId: string;
  readonly agents: number;
  readonly token: string;
  /** The user's certificate, in PEM; null if none was given. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly seats: readonly Seat[];
  readonly startAtMs: number | null;
  readonly stop: StopRequest | null;
  readonly setupData: string | null;
}

const stateSchema: z.ZodType<KeptState> = z.object({
  runId: z.string(),
  agents: z.int().positive(),
  token: z.string(),
  tls: z.object({ cert: z.string(), key: z.string() }).nullable(),
  seats: z.array(z.object({ agentId: z.string(), name: z.string(), shard: z.int().nonnegative() })),
  startAtMs: z.number().nullable(),
  stop: stopOrderSchema.nullable(),
  setupData: z.string().nullable(),
});

const stateFile = "state.json";

/**
 * The folder of a coordinated run: its state, its job, and the recording of each agent. Only its owner can
 * read it.
 */
export class RunFolder {
  readonly path: string;
  #saved: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** The folder of the packed job. */
  get job(): string {
    return join(this.path, "job");
  }

  /** Returns the path of an agent's recording; shards count from 0. */
  part(shard: number): string {
    return join(this.path, `part-${String(shard + 1).padStart(3, "0")}.bearhug`);
  }

  async make(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
  }

  /**
   * Reads the state of the run in this folder; null if there is none. @throws {InvalidInput} if it is invalid
   */
  async read(): Promise<KeptState | null> {
    const path = join(this.path, stateFile);
    if (!existsSync(path)) return null;
    const found = stateSchema.safeParse(tryJson(await readFile(path, "utf8")));
    if (!found.success)
      throw new InvalidInput([`${path}: is not the state of a run that this version of bearhug knows.`]);
    return found.data;
  }

  /** Saves the state, after earlier saves. Resolves when it is on disk. */
  save(state: KeptState): Promise<void> {
    const text = JSON.stringify(state);
    const path = join(this.path, stateFile);
    this.#saved = this.#saved.then(async () => {
      await writeFile(`${path}.new`, text, { mode: 0o600 });
      await rename(`${path}.new`, path);
    });
    return this.#saved;
  }

  /** Resolves when the latest state is on disk. */
  async settle(): Promise<void> {
    await this.#saved.catch(() => undefined);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

const folderPrefix = "agents-";

/** Returns the name of the default folder of a run. */
export function folderName(runId: string): string {
  return folderPrefix + runId;
}

/**
 * Removes default folders of runs whose coordinator was killed, with their tokens and recordings, once they
 * have not changed for `silentMs`.
 */
export async function removeOlderFolders(parent: string, silentMs: number, nowMs: number): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(folderPrefix))) {
    const path = join(parent, name);
    const { mtimeMs } = await stat(path);
    if (nowMs - mtimeMs > silentMs) await rm(path, { recursive: true, force: true });
  }
}
