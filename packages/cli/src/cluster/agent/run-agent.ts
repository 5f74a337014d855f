import { randomUUID } from "node:crypto";

import { markTold } from "@bearhug/engine/recording/leftovers";
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

export interface AgentOptions<Told> {
  readonly clock: Clock;
  readonly dial: Dial;
  readonly name: string;
  /** The shard that it is to have, counted from 0; null for any. */
  readonly wantedShard: number | null;
  readonly joinTimeoutMs: number;
  /** The folder for its recording, until the coordinator has all of it. */
  readonly folder: string;
  readonly interruptions: Interruptions;
  readonly observer: RunObserver;
  readonly conclude: Conclude<Told>;
  /** The recording is complete: at this path, until the coordinator has it; null if it could not be written to its end. */
  readonly onRecorded: (path: string | null) => Promise<void>;
}

/** Records may still be asked for this long after the end, if the coordinator is gone. */
const patienceMs = 60_000;
/** The same after the second signal. */
const shortPatienceMs = 3000;

/**
 * Takes part in a run that a coordinator leads. Returns null if a signal came before the test did.
 * @throws {InvalidInput} if it cannot take part
 */
export async function runAgent<Told>(order: AgentOptions<Told>): Promise<Told | null> {
  const { interruptions, observer } = order;
  const warn = (text: string): void => {
    observer.onWarning(text);
  };
  const recording: PostedRecording = new PostedRecording(order.folder, warn, (record) =>
    session.sendBytes(record),
  );
  const session = new AgentSession({
    ...order,
    agentId: randomUUID(),
    events: listen(order, recording),
  });
  try {
    const joined = await joinAndUnpack(order, session);
    if (joined === null) {
      session.tellLeave(interruptions.signal ?? "a signal");
      return null;
    }
    const told = await execute(order, { ...joined, session, recording });
    await deliver(order, session, recording);
    return told;
  } catch (error) {
    if (error instanceof InvalidInput) session.tellProblem(error.problems.join(" "));
    throw error;
  } finally {
    session.close();
  }
}

/** Does what the coordinator says. */
function listen<Told>(
  { interruptions, observer }: AgentOptions<Told>,
  recording: PostedRecording,
): AgentSessionEvents {
  return {
    onConnect: (applied) => {
      recording.connect(applied);
    },
    onDisconnect: () => {
      recording.disconnect();
    },
    onApplied: (applied) => {
      recording.acknowledge(applied);
    },
    onStop: ({ reason, interruption }) => {
      // A second interruption would be urgent, and a signal to this agent may have come first.
      if (interruption === "graceful" && interruptions.isInterrupted) return;
      observer.onWarning(`stopping, as told by ${reason}`);
      if (interruption === null) interruptions.cutLoad();
      else interruptions.interrupt(reason);
      if (interruption === "urgent") interruptions.interrupt(reason);
    },
    onOrphaned: (reason) => {
      observer.onWarning(`${reason}: ending gracefully`);
      if (!interruptions.isInterrupted) interruptions.interrupt("the agent, because it lost its coordinator");
    },
  };
}

/** Null if a signal came before the test did. */
async function joinAndUnpack<Told>(
  { interruptions, observer }: AgentOptions<Told>,
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

async function execute<Told>(
  { interruptions, observer, conclude }: AgentOptions<Told>,
  { welcome, job, session, recording }: JoinedRun,
): Promise<Told> {
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

/** Waits until the coordinator has the whole recording, or nobody is there to take it. */
async function deliver<Told>(
  { clock, interruptions, observer, onRecorded }: AgentOptions<Told>,
  session: AgentSession,
  recording: PostedRecording,
): Promise<void> {
  const path = await recording.close();
  await onRecorded(path);
  const endedAtMs = clock.now();
  const isHopeless = (): boolean => {
    const waitedMs = clock.now() - endedAtMs;
    const patience = interruptions.isUrgent ? shortPatienceMs : patienceMs;
    return Math.min(waitedMs, session.silentMs) > patience || session.isRefused;
  };
  await new Promise<void>((resolve) => {
    const end = every(clock, lookEveryMs, () => {
      if (!recording.isPosted && !isHopeless()) return;
      end();
      resolve();
    });
  });
  if (recording.isPosted) {
    await recording.remove();
    return;
  }
  if (path === null) return;
  // Nobody needs to hear of it again with the next run.
  await markTold({ path });
  observer.onWarning(
    `the coordinator did not take all records of this agent: they are kept in ${path} for 7 days, for bearhug merge`,
  );
}

const lookEveryMs = 50;
