import { randomUUID } from "node:crypto";

import { markReported } from "@bearhug/engine/recording/leftovers";
import { conductRun } from "@bearhug/engine/run/conduct-run";
import { Interruptions } from "@bearhug/engine/run/interruptions";
import type { Conclude, RunObserver } from "@bearhug/engine/run/run-request";
import { ThreadPool } from "@bearhug/engine/run/thread-pool";
import { type Clock, every } from "@bearhug/plan/pacing/clock";
import { InvalidInput } from "@bearhug/sdk";

import { launcherFor } from "../../run/launcher-for.ts";
import { unpackJob, type UnpackedJob } from "../job/unpack-job.ts";
import type { Dial } from "../wire/dial.ts";
import type { WelcomeMessage } from "../wire/messages.ts";
import { AgentSession, type AgentSessionEvents } from "./agent-session.ts";
import { PostedRecording } from "./posted-recording.ts";

export interface AgentOptions<Outcome> {
  readonly clock: Clock;
  readonly dial: Dial;
  readonly name: string;
  /** The shard to request, counted from 0; null for any. */
  readonly wantedShard: number | null;
  readonly joinTimeoutMs: number;
  /** The folder of the recording, until the coordinator has all of it. */
  readonly folder: string;
  readonly interruptions: Interruptions;
  readonly observer: RunObserver;
  readonly conclude: Conclude<Outcome>;
  /**
   * Called with the path of the complete recording, which is kept until the coordinator has it; null if it
   * could not be written to its end.
   */
  readonly onRecorded: (path: string | null) => Promise<void>;
}

/** How long to try to deliver the remaining records after the end, if the coordinator is gone. */
const deliveryTimeoutMs = 60_000;
/** The same limit after a second signal. */
const urgentDeliveryTimeoutMs = 3000;

/**
 * Takes part in a run led by a coordinator. Returns null if a signal arrived before the test did.
 * @throws {InvalidInput} if it cannot take part
 */
export async function runAgent<Outcome>(order: AgentOptions<Outcome>): Promise<Outcome | null> {
  const { interruptions, observer } = order;
  const warn = (text: string): void => observer.onWarning(text);
  const recording: PostedRecording = new PostedRecording(order.folder, warn, (record) =>
    session.sendBytes(record),
  );
  const session = new AgentSession({
    ...order,
    agentId: randomUUID(),
    events: createSessionEvents(order, recording),
  });
  try {
    const joined = await joinAndUnpack(order, session);
    if (joined === null) {
      session.sendLeave(interruptions.signal ?? "a signal");
      return null;
    }
    const outcome = await execute(order, { ...joined, session, recording });
    await deliver(order, session, recording);
    return outcome;
  } catch (error) {
    if (error instanceof InvalidInput) session.sendProblem(error.problems.join(" "));
    throw error;
  } finally {
    session.close();
  }
}

/** Returns handlers that carry out the coordinator's orders. */
function createSessionEvents<Outcome>(
  { interruptions, observer }: AgentOptions<Outcome>,
  recording: PostedRecording,
): AgentSessionEvents {
  return {
    onConnect: (applied) => recording.connect(applied),
    onDisconnect: () => recording.disconnect(),
    onApplied: (applied) => recording.acknowledge(applied),
    onStop: ({ reason, interruption }) => {
      // A signal to this agent may have arrived first, and a second interruption would count as urgent.
      if (interruption === "graceful" && interruptions.isInterrupted) return;
      // Only a failed threshold ends the load without an interruption.
      observer.onWarning(
        interruption === null
          ? `stopping: threshold ${reason} failed`
          : `stopping at the request of ${reason}`,
      );
      if (interruption === null) interruptions.endLoad(reason);
      else interruptions.interrupt(reason);
      if (interruption === "urgent") interruptions.interrupt(reason);
    },
    onOrphaned: (reason) => {
      observer.onWarning(`${reason}: ending gracefully`);
      if (!interruptions.isInterrupted) interruptions.interrupt("the agent, because it lost its coordinator");
    },
  };
}

/** Joins the run and unpacks its test; null if a signal arrived first. */
async function joinAndUnpack<Outcome>(
  { interruptions, observer }: AgentOptions<Outcome>,
  session: AgentSession,
): Promise<Pick<JoinedRun, "welcome" | "job"> | null> {
  const welcome = await Promise.race([interruptions.first, session.joined]);
  if (welcome === undefined) return null;
  observer.onWarning(`joined as shard ${welcome.shard.index + 1} of ${welcome.shard.count}`);
  const unpacked = unpackJob(welcome.job, (file) => session.fetchFile(file));
  const job = await Promise.race([interruptions.first, unpacked]);
  return job === undefined ? null : { welcome, job };
}

interface JoinedRun {
  readonly welcome: WelcomeMessage;
  readonly job: UnpackedJob;
  readonly session: AgentSession;
  readonly recording: PostedRecording;
}

async function execute<Outcome>(
  { interruptions, observer, conclude }: AgentOptions<Outcome>,
  { welcome, job, session, recording }: JoinedRun,
): Promise<Outcome> {
  const { loaded, options, workingFolder } = job;
  const { allowsPartial, setup } = options.sharding;
  const threads = new ThreadPool([]);
  const before = process.cwd();
  process.chdir(workingFolder);
  try {
    return await conductRun(
      {
        loaded,
        interruptions,
        observer,
        recorder: recording,
        lead: session,
        options: {
          ...options,
          sharding: {
            shard: welcome.shard,
            startAtMs: null,
            allowsPartial,
            setup: setup === "each" ? "each" : "lead",
          },
        },
        launch: await launcherFor(loaded, null, threads),
      },
      conclude,
    );
  } finally {
    process.chdir(before);
    await threads.close();
    loaded.remove();
  }
}

/** Waits until the coordinator has the whole recording, or is gone for too long. */
async function deliver<Outcome>(
  { clock, interruptions, observer, onRecorded }: AgentOptions<Outcome>,
  session: AgentSession,
  recording: PostedRecording,
): Promise<void> {
  const path = await recording.close();
  await onRecorded(path);
  const endedAtMs = clock.now();
  const hasFailed = (): boolean => {
    const waitedMs = clock.now() - endedAtMs;
    const timeoutMs = interruptions.isUrgent ? urgentDeliveryTimeoutMs : deliveryTimeoutMs;
    return Math.min(waitedMs, session.silentMs) > timeoutMs || session.isRefused;
  };
  await new Promise<void>((resolve) => {
    const end = every(clock, checkEveryMs, () => {
      if (!recording.isPosted && !hasFailed()) return;
      end();
      resolve();
    });
  });
  if (recording.isPosted) {
    await recording.remove();
    return;
  }
  if (path === null) return;
  // The next run need not mention the recording again.
  await markReported({ path });
  observer.onWarning(
    `the coordinator did not take all records of this agent: they are kept in ${path} for 7 days, for bearhug merge`,
  );
}

const checkEveryMs = 50;
