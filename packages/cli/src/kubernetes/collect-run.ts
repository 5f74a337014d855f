import type { ClusterPod } from "./cluster-objects.ts";
import { KubectlFailed, type Kubectl } from "./kubectl.ts";
import { findLogPayload, type FoundLogPayload } from "./log-payload.ts";
import { describeExcess } from "./write-log-payload.ts";
import { groupAgents, nameAgents } from "./name-agents.ts";
import { readRun } from "./list-runs.ts";
import { componentOf, readStanding, shardOf, type RunStanding } from "./run-standing.ts";

/** The payloads in the logs of a run's pods. */
export interface CollectedRun {
  readonly standing: RunStanding;
  /** The JSON result of the newest coordinator that logged one; null if none did. */
  readonly result: string | null;
  /** The exit code of the newest coordinator; null if it has not ended, or if it is unknown. */
  readonly exitCode: number | null;
}

/** Reads the coordinator's result. */
export async function collectResult(kubectl: Kubectl, run: string): Promise<CollectedRun> {
  const { jobs, pods, events } = await readRun(kubectl, run);
  const standing = readStanding({ jobs, pods, events });
  const coordinators = pods
    .filter((pod) => componentOf(pod) === "coordinator")
    .sort((left, right) => right.metadata.creationTimestamp.localeCompare(left.metadata.creationTimestamp));
  const exitCode = coordinators[0]?.status.containerStatuses[0]?.state.terminated?.exitCode ?? null;
  for (const pod of coordinators) {
    const payload = await readPayloadOf(kubectl, pod);
    if (payload.state === "whole" && payload.kind === "result")
      return { standing, result: payload.content.toString("utf8"), exitCode };
  }
  return { standing, result: null, exitCode };
}

/** The recording of one agent, read from its log. */
export interface CollectedRecording {
  readonly shard: number;
  readonly content: Buffer;
}

export interface CollectedRecordings {
  readonly recordings: readonly CollectedRecording[];
  /** A sentence for each reason why recordings are missing. */
  readonly problems: readonly string[];
}

/** The number of logs to read concurrently without slowing down other users of the API server. */
const maxConcurrentReads = 8;

/** Reads the recordings of all agents, from which a result can be made without the coordinator. */
export async function collectRecordings(kubectl: Kubectl, run: string): Promise<CollectedRecordings> {
  const { pods } = await readRun(kubectl, run);
  const waiting = pods.filter((pod) => componentOf(pod) === "agent");
  const recordings: CollectedRecording[] = [];
  const incomplete: { shard: number; fact: string }[] = [];
  const readAll = async (): Promise<void> => {
    for (let pod = waiting.shift(); pod !== undefined; pod = waiting.shift()) {
      const shard = shardOf(pod);
      if (shard === null) continue;
      const payload = await readPayloadOf(kubectl, pod);
      if (payload.state === "whole" && payload.kind === "recording")
        recordings.push({ shard, content: payload.content });
      else incomplete.push({ shard, fact: describeMissing(pod, payload) });
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentReads }, readAll));
  recordings.sort((left, right) => left.shard - right.shard);
  const problems = groupAgents(incomplete).map(({ shards, fact }) => `${nameAgents(shards)}: ${fact}`);
  return { recordings, problems };
}

function describeMissing(pod: ClusterPod, payload: FoundLogPayload): string {
  const message = pod.status.containerStatuses[0]?.state.terminated?.message?.trim();
  const what = describePayload(payload);
  return message === undefined || message === "" ? what : `${what} Last message: ${message}`;
}

function describePayload(payload: FoundLogPayload): string {
  if (payload.state === "too-large") return `no recording in the log: ${describeExcess(payload.bytes)}`;
  return payload.state === "broken" ? "the recording in the log is cut off." : "no recording in the log.";
}

async function readPayloadOf(kubectl: Kubectl, pod: ClusterPod): Promise<FoundLogPayload> {
  try {
    return findLogPayload(await kubectl.run(["logs", pod.metadata.name]));
  } catch (error) {
    // A pod that never ran, or whose node is gone, has no log.
    if (!(error instanceof KubectlFailed)) throw error;
    return { state: "absent" };
  }
}
