import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";

import type { Sharding } from "@bearhug/plan/test-file/sharding";
import { InvalidInput } from "@bearhug/sdk";
import type { ValidatedTest } from "@bearhug/sdk/internal";

import type { StageOutcome } from "./definition-session.ts";
import type { Lead, PlannedLiveRun } from "./run-request.ts";

/** True if one machine runs setup and teardown for all. */
function isHandedOn({ setup }: Sharding): boolean {
  return setup !== null && setup !== "each";
}

function isOnFirstShard({ shard }: Sharding): boolean {
  return shard === null || shard.index === 0;
}

/** The stages of the test that run on this machine. */
export function stagesHere(test: ValidatedTest, sharding: Sharding): ValidatedTest {
  if (!isHandedOn(sharding) || isOnFirstShard(sharding)) return test;
  return { ...test, hasSetup: false, hasTeardown: false };
}

/** @throws {InvalidInput} if the data that setup returns could not be handed on */
export function checkHandover(sharding: Sharding): void {
  const { setup } = sharding;
  if (setup !== null && typeof setup === "object" && isOnFirstShard(sharding)) refuseUnfitFile(setup.file);
}

/** Runs the setup, and lets the worker that holds the definition go when nothing is left for it to do. */
export async function setUpTest(run: PlannedLiveRun): Promise<StageOutcome> {
  const { definition, planned, interruptions } = run;
  const test = stagesHere(run.test, run.options.sharding);
  const hasStages = test.hasSetup || test.hasTeardown;
  const outcome = hasStages
    ? await definition.setup(planned.plan, test.setupTimeoutMs, interruptions.first)
    : { data: undefined };
  if (!hasStages && !test.hasSummary) await definition.release();
  else if (!test.hasTeardown && !test.hasSummary) definition.letEnd();
  const handover = handoverOf(run);
  return handover === null || "failure" in outcome ? outcome : handOn(run, handover, outcome.data);
}

/** Null if nothing is handed on: each machine runs its own setup, or there is none. */
function handoverOf(run: PlannedLiveRun): Handover | null {
  const { test, options, lead } = run;
  const { setup } = options.sharding;
  if (!test.hasSetup || setup === null || setup === "each") return null;
  if (setup !== "lead") return handoverByFile(setup.file, run);
  return lead === null ? null : handoverByLead(lead, run);
}

/** Sends the data of setup to the other shards, or receives it from the first. */
async function handOn(run: PlannedLiveRun, handover: Handover, data: unknown): Promise<StageOutcome> {
  const { mask, planned, testHash } = run;
  const identity = { testHash, seed: planned.plan.seed };
  try {
    if (isOnFirstShard(run.options.sharding)) {
      await handover.send(writeSetupData(identity, data));
      return { data };
    }
    const text = await handover.receive();
    return { data: text === null ? undefined : readSetupData(text, identity, handover.from) };
  } catch (error) {
    const message = mask.hide(error instanceof Error ? error.message : String(error));
    return { failure: { stage: "setup", thrown: { message, position: null } } };
  }
}

/** Longer than the others take to end their load, or than their coordinator takes to give them up. */
const longestWaitMs = 300_000;

/** Teardown waits until no machine applies load any more, as far as anybody can tell. */
export async function awaitLoadsOver({
  lead,
  clock,
  interruptions,
  onWarning,
}: PlannedLiveRun): Promise<void> {
  if (lead === null) return;
  let forget: () => void = () => undefined;
  const isLate = new Promise<void>((resolve) => {
    forget = clock.at(clock.now() + longestWaitMs, () => {
      onWarning(
        `teardown begins although other agents may still run: waited ${longestWaitMs / 60_000} minutes`,
      );
      resolve();
    });
  });
  await Promise.race([lead.awaitLoadsOver(), isLate, interruptions.second]);
  forget();
}

/** The way of setup's data from the first shard to the others. */
interface Handover {
  /** The place that it comes from, in messages. */
  readonly from: string;
  send(text: string): Promise<void>;
  /** Waits for what the first shard sent; null if the user interrupts. Rejects if it does not come in time. */
  receive(): Promise<string | null>;
}

/** Through the coordinator, which knows when the first shard will never send anything, and ends the run then. */
function handoverByLead(lead: Lead, { interruptions }: PlannedLiveRun): Handover {
  return {
    from: "the coordinator",
    send: (text) => {
      lead.sendSetupData(text);
      return Promise.resolve();
    },
    receive: () => Promise.race([lead.awaitSetupData(), interruptions.first.then(() => null)]),
  };
}

const lookEveryMs = 100;

/** In a file that all shards can read. */
function handoverByFile(file: string, { clock, interruptions, test }: PlannedLiveRun): Handover {
  const timeoutMs = test.setupTimeoutMs;
  return {
    from: file,
    async send(text) {
      // Whoever waits for the file never sees a part of it. Only its owner may read it: the data may hold credentials.
      const unfinished = `${file}.${randomUUID()}`;
      await writeFile(unfinished, text, { mode: 0o600 });
      await rename(unfinished, file);
    },
    async receive() {
      const untilMs = clock.now() + timeoutMs;
      while (!existsSync(file)) {
        if (interruptions.isInterrupted) return null;
        if (clock.now() > untilMs)
          throw new TypeError(`shard 1 did not write ${file} within ${timeoutMs / 1000} s (setupTimeout)`);
        await new Promise<void>((resolve) => {
          clock.at(clock.now() + lookEveryMs, resolve);
        });
      }
      return readFile(file, "utf8");
    },
  };
}

/**
 * @throws {InvalidInput} for a file that shard 1 must not or cannot write: one that is there before the run is an earlier run's,
 * and other shards would read it
 */
function refuseUnfitFile(file: string): void {
  if (existsSync(file))
    throw new InvalidInput([
      `--shard-setup ${file}: already exists. Remove it, or name a new file for each run.`,
    ]);
  const folder = dirname(file);
  if (!existsSync(folder))
    throw new InvalidInput([`--shard-setup ${file}: there is no folder ${folder}. Create it first.`]);
}

/** A test and a seed: data of one run is of no use to another. */
export interface RunIdentity {
  readonly testHash: string | null;
  readonly seed: number;
}

const schema = "bearhug/setup-data@1";

/** The data that setup returned, for the other shards. @throws for data that JSON does not keep as it is */
export function writeSetupData(identity: RunIdentity, data: unknown): string {
  const text = stringify({ schema, ...identity, data });
  if (text === null || !isDeepStrictEqual(dataIn(JSON.parse(text)), data))
    throw new TypeError(
      "setup returned data that JSON cannot hold. Return plain objects, arrays, texts and numbers",
    );
  return text;
}

/** Null for what JSON cannot write at all, such as a BigInt or a circle. */
function stringify(value: object): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

/** Reads the data of the first shard, which came from the place `from`. @throws where it is another run's */
export function readSetupData(text: string, identity: RunIdentity, from: string): unknown {
  const found: unknown = parse(text, from);
  if (!isOf(found, identity))
    throw new TypeError(`${from} does not hold the setup data of this test and seed`);
  return dataIn(found);
}

function parse(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError(
      `${from} does not hold setup data: ${error instanceof Error ? error.message : String(error)}`,
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
