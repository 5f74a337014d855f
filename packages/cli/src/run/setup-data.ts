import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";

import { InvalidInput } from "../invalid-input.ts";
import type { Clock } from "../pacing/clock.ts";

/** A test and a seed: data of one run is of no use to another. */
export interface RunIdentity {
  readonly testHash: string | null;
  readonly seed: number;
}

const schema = "bearhug/setup-data@1";
const lookEveryMs = 100;

/** @throws {InvalidInput} for a file that is there before the run: it is an earlier run's, and other shards would read it */
export function refuseEarlierData(file: string): void {
  if (existsSync(file))
    throw new InvalidInput([
      `--shard-setup ${file}: already exists. Remove it, or name a new file for each run.`,
    ]);
}

/** Writes the data that setup returned for the other shards. @throws for data that JSON does not keep as it is */
export async function writeSetupData(file: string, identity: RunIdentity, data: unknown): Promise<void> {
  const text = JSON.stringify({ schema, ...identity, data });
  if (!isDeepStrictEqual(dataIn(JSON.parse(text)), data))
    throw new TypeError(
      "setup returned data that JSON cannot hold. Return plain objects, arrays, texts and numbers",
    );
  // Whoever waits for the file never sees a part of it. Only its owner may read it: the data may hold credentials.
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  await rename(unfinished, file);
}

/** Waits for the data of shard 1. @throws where it does not come in time, or is another run's */
export async function readSetupData(
  file: string,
  identity: RunIdentity,
  { clock, timeoutMs, isInterrupted }: { clock: Clock; timeoutMs: number; isInterrupted: () => boolean },
): Promise<unknown> {
  const untilMs = clock.now() + timeoutMs;
  while (!existsSync(file)) {
    if (isInterrupted()) return undefined;
    if (clock.now() > untilMs)
      throw new TypeError(`shard 1 did not write ${file} within ${timeoutMs / 1000} s (setupTimeout)`);
    await new Promise<void>((resolve) => {
      clock.at(clock.now() + lookEveryMs, resolve);
    });
  }
  const found: unknown = parse(await readFile(file, "utf8"));
  if (!isOf(found, identity))
    throw new TypeError(`${file} does not hold the setup data of this test and seed`);
  return dataIn(found);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError(
      `the setup data cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

function isOf(found: unknown, { testHash, seed }: RunIdentity): boolean {
  if (typeof found !== "object" || found === null) return false;
  const { schema: kind, testHash: hash, seed: given } = found as Readonly<Record<string, unknown>>;
  return kind === schema && hash === testHash && given === seed;
}

function dataIn(found: unknown): unknown {
  return typeof found === "object" && found !== null && "data" in found ? found.data : undefined;
}
