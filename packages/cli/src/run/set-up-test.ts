import type { ValidatedTest } from "@bearhug/sdk/internal";

import type { StageOutcome } from "./definition-session.ts";
import type { PlannedRequest } from "./run-request.ts";
import type { Sharding } from "../test-file/sharding.ts";
import { handoverByFile, handoverByLead, refuseUnfitFile, type Handover } from "./handover.ts";
import { readSetupData, writeSetupData } from "./setup-data.ts";

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
export async function setUpTest(request: PlannedRequest): Promise<StageOutcome> {
  const { definition, planned, interruptions } = request;
  const test = stagesHere(request.test, request.sharding);
  const hasStages = test.hasSetup || test.hasTeardown;
  const outcome = hasStages
    ? await definition.setup(planned.plan, test.setupTimeoutMs, interruptions.first)
    : { data: undefined };
  if (!hasStages && !test.hasSummary) await definition.release();
  else if (!test.hasTeardown && !test.hasSummary) void definition.leave();
  const handover = handoverOf(request);
  return handover === null || "failure" in outcome ? outcome : handOn(request, handover, outcome.data);
}

/** Null if nothing is handed on: each machine runs its own setup, or there is none. */
function handoverOf({ test, sharding, lead, clock, interruptions }: PlannedRequest): Handover | null {
  const { setup } = sharding;
  if (!test.hasSetup || setup === null || setup === "each") return null;
  if (setup !== "lead")
    return handoverByFile(setup.file, { clock, timeoutMs: test.setupTimeoutMs, interruptions });
  return lead === null ? null : handoverByLead(lead, interruptions);
}

/** Sends the data of setup to the other shards, or receives it from the first. */
async function handOn(request: PlannedRequest, handover: Handover, data: unknown): Promise<StageOutcome> {
  const { mask, planned, sharding, testHash } = request;
  const identity = { testHash, seed: planned.plan.seed };
  try {
    if (isOnFirstShard(sharding)) {
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
}: PlannedRequest): Promise<void> {
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
