import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";

import type { ValidatedTest } from "@bearhug/plan/definition/validated-test";
import { awaitUntil, pause } from "@bearhug/plan/pacing/clock";
import type { Sharding } from "@bearhug/plan/test-file/sharding";
import { InvalidInput } from "@bearhug/sdk";
import { attempt, errorMessage } from "@bearhug/text/caught-error";

import type { StageOutcome } from "./definition-session.ts";
import type { LeadLink, PlannedLiveRun } from "./run-request.ts";

/** True if the first shard runs setup and teardown for all machines. */
function isSetupShared({ setup }: Sharding): boolean {
  return setup !== null && setup !== "each";
}

function isOnFirstShard({ shard }: Sharding): boolean {
  return shard === null || shard.index === 0;
}

/** Returns the test with only the stages that run on this machine. */
export function stagesHere({ test, options, lead }: PlannedLiveRun): ValidatedTest {
  const { sharding } = options;
  // A machine that a coordinator leads has a part of the result alone: no summary is made of it.
  const here = lead === null ? test : { ...test, hasSummary: false };
  if (!isSetupShared(sharding) || isOnFirstShard(sharding)) return here;
  return { ...here, hasSetup: false, hasTeardown: false };
}

/** @throws {InvalidInput} if the data that setup returns could not be passed to the other shards */
export function checkHandover(sharding: Sharding): void {
  const { setup } = sharding;
  if (setup !== null && typeof setup === "object" && isOnFirstShard(sharding)) rejectUnusableFile(setup.file);
}

/** Runs the setup, and releases the definition worker if it has nothing left to do. */
export async function setUpTest(run: PlannedLiveRun): Promise<StageOutcome> {
  const { definition, planned, interruptions } = run;
  const test = stagesHere(run);
  const hasStages = test.hasSetup || test.hasTeardown;
  const outcome = hasStages
    ? await definition.setup(planned.plan, test.setupTimeoutMs, interruptions.first)
    : { data: undefined };
  if (!hasStages && !test.hasSummary) await definition.release();
  else if (!test.hasTeardown && !test.hasSummary) definition.letEnd();
  const handover = handoverOf(run);
  return handover === null || "failure" in outcome ? outcome : shareSetupData(run, handover, outcome.data);
}

/** Returns null if no data is passed on: each machine runs its own setup, or there is none. */
function handoverOf(run: PlannedLiveRun): Handover | null {
  const { test, options, lead } = run;
  const { setup } = options.sharding;
  if (!test.hasSetup || setup === null || setup === "each") return null;
  if (setup !== "lead") return handoverByFile(setup.file, run);
  return lead === null ? null : handoverByLead(lead, run);
}

/** Sends the data of setup to the other shards, or receives it from the first. */
async function shareSetupData(run: PlannedLiveRun, handover: Handover, data: unknown): Promise<StageOutcome> {
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
    const message = mask.hide(errorMessage(error));
    return { failure: { stage: "setup", thrown: { message, position: null } } };
  }
}

/** Longer than other machines take to end their load, or the coordinator to count them as lost. */
const maxWaitMs = 300_000;

/**
 * Delays teardown, and the end of what setup started, until no machine is known to apply load. Does not wait
 * if the thread of setup has ended: then nothing of it is left.
 */
export async function awaitLoadsOver({
  lead,
  clock,
  definition,
  interruptions,
  onWarning,
}: PlannedLiveRun): Promise<void> {
  if (lead === null) return;
  const over = Promise.race([lead.awaitLoadsOver(), interruptions.second, definition.ended]);
  if ((await awaitUntil(clock, clock.now() + maxWaitMs, over)) === null)
    onWarning(`ending although other agents may still run: waited ${maxWaitMs / 60_000} minutes`);
}

/** Passes the data of setup from the first shard to the others. */
interface Handover {
  /** The source of the data, for messages. */
  readonly from: string;
  send(text: string): Promise<void>;
  /**
   * Resolves to the data of the first shard; null if the user interrupts. Rejects if it does not come in
   * time.
   */
  receive(): Promise<string | null>;
}

/** Passes data through the coordinator, which ends the run if the first shard is lost. */
function handoverByLead(lead: LeadLink, { interruptions }: PlannedLiveRun): Handover {
  return {
    from: "the coordinator",
    send: (text) => {
      lead.sendSetupData(text);
      return Promise.resolve();
    },
    receive: () => Promise.race([lead.awaitSetupData(), interruptions.first.then(() => null)]),
  };
}

const pollEveryMs = 100;

/** Passes data through a file that all shards can read. */
function handoverByFile(file: string, { clock, interruptions, test }: PlannedLiveRun): Handover {
  const timeoutMs = test.setupTimeoutMs;
  return {
    from: file,
    async send(text) {
      // Renaming keeps other shards from reading a partial file. Only the owner may read it: it may hold
      // credentials.
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
        await pause(clock, pollEveryMs);
      }
      return readFile(file, "utf8");
    },
  };
}

/**
 * @throws {InvalidInput} for a file that shard 1 must not or cannot write: an existing one is from an earlier
 * run, and other shards would read it
 */
function rejectUnusableFile(file: string): void {
  if (existsSync(file))
    throw new InvalidInput([
      `--shard-setup ${file}: already exists. Remove it, or name a new file for each run.`,
    ]);
  const folder = dirname(file);
  if (!existsSync(folder))
    throw new InvalidInput([`--shard-setup ${file}: there is no folder ${folder}. Create it first.`]);
}

/** A test and a seed: setup data must not be used by another run. */
export interface RunIdentity {
  readonly testHash: string | null;
  readonly seed: number;
}

const schema = "bearhug/setup-data@1";

/**
 * Serializes the data that setup returned, for the other shards.
 * @throws {TypeError} for data that JSON would change
 */
export function writeSetupData(identity: RunIdentity, data: unknown): string {
  // JSON cannot represent a BigInt or a circular structure.
  const text = attempt(() => JSON.stringify({ schema, ...identity, data }));
  if (text === null || !isDeepStrictEqual(dataIn(JSON.parse(text)), data))
    throw new TypeError(
      "setup returned data that JSON cannot hold. Return plain objects, arrays, texts and numbers",
    );
  return text;
}

/**
 * Reads the data of the first shard, received from `from`.
 * @throws {TypeError} if it is invalid or another run's
 */
export function readSetupData(text: string, identity: RunIdentity, from: string): unknown {
  const found: unknown = parse(text, from);
  if (!belongsTo(found, identity))
    throw new TypeError(`${from} does not hold the setup data of this test and seed`);
  return dataIn(found);
}

function parse(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError(`${from} does not hold setup data: ${errorMessage(error)}`, { cause: error });
  }
}

function belongsTo(found: unknown, { testHash, seed }: RunIdentity): boolean {
  if (typeof found !== "object" || found === null) return false;
  const { schema: kind, testHash: hash, seed: given } = found as Readonly<Record<string, unknown>>;
  return kind === schema && hash === testHash && given === seed;
}

function dataIn(found: unknown): unknown {
  return typeof found === "object" && found !== null && "data" in found ? found.data : undefined;
}
