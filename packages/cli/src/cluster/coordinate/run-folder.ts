import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { InvalidInput } from "@bearhug/sdk";
import { z } from "@bearhug/sdk/internal";

import { stopOrderSchema, type StopRequest } from "../wire/messages.ts";
import type { Seat } from "./roster.ts";

/** All that a coordinator must know again after a restart, besides the records of its agents. */
export interface KeptState {
  readonly runId: string;
  readonly agents: number;
  readonly token: string;
  /** The certificate that the user gave, in PEM; null for none. */
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

/** The folder of a run that is coordinated: its state, its job, and the recording of each agent. For its owner alone. */
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

  /** The recording of an agent; shards count from 0. */
  part(shard: number): string {
    return join(this.path, `part-${String(shard + 1).padStart(3, "0")}.bearhug`);
  }

  async make(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
  }

  /** The state of a run that was coordinated here; null if there was none. @throws {InvalidInput} if it cannot be read */
  async read(): Promise<KeptState | null> {
    const path = join(this.path, stateFile);
    if (!existsSync(path)) return null;
    const found = stateSchema.safeParse(parse(await readFile(path, "utf8")));
    if (!found.success)
      throw new InvalidInput([`${path}: is not the state of a run that this version of bearhug knows.`]);
    return found.data;
  }

  /** Saves the state. Resolves when it is on the disk; saves one after another. */
  save(state: KeptState): Promise<void> {
    const text = JSON.stringify(state);
    const path = join(this.path, stateFile);
    this.#saved = this.#saved.then(async () => {
      await writeFile(`${path}.new`, text, { mode: 0o600 });
      await rename(`${path}.new`, path);
    });
    return this.#saved;
  }

  /** Resolves when the last state is on the disk. */
  async settle(): Promise<void> {
    await this.#saved.catch(() => undefined);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

const folderPrefix = "agents-";

/** The name of a folder for a run that nobody gave one. */
export function folderName(runId: string): string {
  return folderPrefix + runId;
}

/** Removes folders of runs whose coordinator was killed, with their tokens and recordings, once they are older than this. */
export async function removeOlderFolders(parent: string, silentMs: number, nowMs: number): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(folderPrefix))) {
    const path = join(parent, name);
    const { mtimeMs } = await stat(path);
    if (nowMs - mtimeMs > silentMs) await rm(path, { recursive: true, force: true });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
