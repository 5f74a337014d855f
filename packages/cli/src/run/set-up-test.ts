import type { ValidatedTest } from "@bearhug/sdk/internal";

import type { StageOutcome } from "../coordinator/definition-session.ts";
import type { PlannedRequest } from "../coordinator/run-request.ts";
import type { Sharding } from "../test-file/sharding.ts";
import { readSetupData, refuseEarlierData, writeSetupData } from "./setup-data.ts";

/** The file in which shard 1 hands on what setup returned; null if each machine runs its own. */
function handedOnIn({ setup }: Sharding): string | null {
  return setup === null || setup === "each" ? null : setup.file;
}

function isOnFirstShard({ shard }: Sharding): boolean {
  return shard === null || shard.index === 0;
}

/** The stages of the test that run on this machine. */
export function stagesHere(test: ValidatedTest, sharding: Sharding): ValidatedTest {
  if (handedOnIn(sharding) === null || isOnFirstShard(sharding)) return test;
  return { ...test, hasSetup: false, hasTeardown: false };
}

/** @throws {InvalidInput} if the data that setup returns could not be handed on */
export function checkHandover(sharding: Sharding): void {
  const file = handedOnIn(sharding);
  if (file !== null && isOnFirstShard(sharding)) refuseEarlierData(file);
}

/** Runs the setup, and lets the worker that holds the definition go when nothing is left for it to do. */
export async function setUpTest(request: PlannedRequest): Promise<StageOutcome> {
  const { definition, planned, test, interruptions } = request;
  const hasStages = test.hasSetup || test.hasTeardown;
  const outcome = hasStages
    ? await definition.setup(planned.plan, test.setupTimeoutMs, interruptions.first)
    : { data: undefined };
  if (!hasStages && !test.hasSummary) await definition.release();
  else if (!test.hasTeardown && !test.hasSummary) await definition.close();
  const file = handedOnIn(request.sharding);
  return file === null || "failure" in outcome ? outcome : handOn(request, file, outcome.data);
}

/** Writes the data of setup for the other shards, or reads it from the first. */
async function handOn(request: PlannedRequest, file: string, data: unknown): Promise<StageOutcome> {
  const { clock, interruptions, mask, planned, sharding, test, testHash } = request;
  const identity = { testHash, seed: planned.plan.seed };
  try {
    if (isOnFirstShard(sharding)) {
      await writeSetupData(file, identity, data);
      return { data };
    }
    const isInterrupted = (): boolean => interruptions.isInterrupted;
    return {
      data: await readSetupData(file, identity, { clock, timeoutMs: test.setupTimeoutMs, isInterrupted }),
    };
  } catch (error) {
    const message = mask.hide(error instanceof Error ? error.message : String(error));
    return { failure: { stage: "setup", thrown: { message, position: null } } };
  }
}
