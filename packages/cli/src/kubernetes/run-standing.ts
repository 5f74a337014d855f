import { parseDuration } from "@bearhug/plan/validation/duration";

import type { ClusterEvent, ClusterJob, ClusterPod } from "./cluster-objects.ts";
import { groupAgents, nameAgents } from "./name-agents.ts";
import { componentLabel, indexLabel, type Component } from "./run-names.ts";

/** The objects of one run in the cluster. */
export interface RunObjects {
  readonly jobs: readonly ClusterJob[];
  readonly pods: readonly ClusterPod[];
  /** Events of the run's Jobs. */
  readonly events: readonly ClusterEvent[];
}

/** The progress of a run, derived from its objects. */
export interface RunStanding {
  readonly agents: number;
  /** The number of agents' pods that run; like `succeeded` and `failed`, without pods on a lost node. */
  readonly running: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly coordinator: CoordinatorStanding;
  /**
   * How long the coordinator waits for its agents, and users for the coordinator; null if the run does not
   * state it.
   */
  readonly joinTimeoutMs: number | null;
  /** A sentence that explains why the coordinator cannot start; null if Kubernetes reports no problem. */
  readonly coordinatorProblem: string | null;
  /** A sentence for each problem of the run, without repetition. */
  readonly problems: readonly string[];
}

/** `ended`: its Job is done, successfully or not. `absent`: it has no Job, because the run was removed. */
export type CoordinatorStanding = "absent" | "waiting" | "running" | "ended";

export function readStanding({ jobs, pods, events }: RunObjects): RunStanding {
  const agents = pods.filter((pod) => componentOf(pod) === "agent");
  const present = agents.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const inPhase = (phase: string): number => present.filter((pod) => pod.status.phase === phase).length;
  const coordinatorJob = jobs.find((job) => componentOf(job) === "coordinator");
  const coordinatorPods = pods.filter((pod) => componentOf(pod) === "coordinator");
  return {
    agents: jobs.find((job) => componentOf(job) === "agent")?.spec.completions ?? agents.length,
    running: inPhase("Running"),
    succeeded: inPhase("Succeeded"),
    failed: inPhase("Failed"),
    coordinator: standingOf(coordinatorJob, coordinatorPods),
    joinTimeoutMs: joinTimeoutOf(coordinatorJob),
    coordinatorProblem:
      [
        ...events
          .filter(({ involvedObject: { name } }) => name === coordinatorJob?.metadata.name)
          .flatMap(describeRejection),
        ...describePods(coordinatorPods),
      ][0] ?? null,
    problems: [
      ...new Set([...events.flatMap(describeRejection), ...describePods(pods), ...jobs.flatMap(describeJob)]),
    ],
  };
}

export function componentOf({
  metadata,
}: {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
}): Component | undefined {
  const component = metadata.labels[componentLabel];
  return component === "coordinator" || component === "agent" ? component : undefined;
}

function standingOf(job: ClusterJob | undefined, pods: readonly ClusterPod[]): CoordinatorStanding {
  if (job === undefined) return "absent";
  if (hasEnded(job)) return "ended";
  return pods.some(({ status }) => status.phase === "Running") ? "running" : "waiting";
}

/** Reads the join timeout from the arguments in the Job's manifest. */
function joinTimeoutOf(job: ClusterJob | undefined): number | null {
  const { args = [] } = job?.spec ?? {};
  const at = args.indexOf("--join-timeout");
  const written = at < 0 ? undefined : args[at + 1];
  return written === undefined ? null : parseDuration(written);
}

function hasEnded({ status }: ClusterJob): boolean {
  return endOf(status.conditions) !== undefined;
}

function endOf(conditions: ClusterJob["status"]["conditions"]): string | undefined {
  const met = conditions.filter(({ status }) => status === "True").map(({ type }) => type);
  return met.find((type) => ["Complete", "Failed"].includes(type));
}

/**
 * Describes why Kubernetes rejected a Job's pod (quotas, pod security, admission webhooks), which only an
 * event reports.
 */
function describeRejection({ involvedObject, reason, message = "" }: ClusterEvent): string[] {
  if (involvedObject.kind !== "Job" || reason !== "FailedCreate") return [];
  const why = message.replace(/^Error creating: /, "").replace(/^pods "[^"]*" is forbidden: /, "");
  return [`Kubernetes refuses a pod of ${involvedObject.name}: ${why}`];
}

/** Reasons for waiting that usually resolve by themselves. */
const transientReasons = ["ContainerCreating", "PodInitializing"];

/** Returns one sentence for each kind of problem, however many pods have it. */
function describePods(pods: readonly ClusterPod[]): string[] {
  const failing = pods.flatMap((pod) => {
    const fact = problemOf(pod);
    return fact === null ? [] : [{ shard: shardOf(pod), fact }];
  });
  const coordinatorProblems = failing.filter(({ shard }) => shard === null);
  const agentProblems = failing.flatMap(({ shard, fact }) => (shard === null ? [] : [{ shard, fact }]));
  return [
    ...coordinatorProblems.map(({ fact }) => `The coordinator ${fact}`),
    ...groupAgents(agentProblems).map(({ shards, fact }) => `${nameAgents(shards)} ${fact}`),
  ];
}

/** Returns the rest of a sentence about a pod with a problem; null for any other pod. */
function problemOf({ status, metadata }: ClusterPod): string | null {
  const { waiting, terminated } = status.containerStatuses[0]?.state ?? {};
  if (metadata.deletionTimestamp !== undefined && status.phase === "Running")
    return "is being stopped, or its node does not answer.";
  if (status.phase === "Pending") {
    if (waiting?.reason !== undefined && !transientReasons.includes(waiting.reason))
      return `cannot start: ${withDetail(waiting.reason, waiting.message)}`;
    const scheduled = status.conditions.find(({ type }) => type === "PodScheduled");
    if (scheduled?.status === "False" && scheduled.message !== undefined)
      return `cannot be placed on a node: ${scheduled.message}`;
  }
  if (status.phase !== "Failed") return null;
  if (terminated === undefined)
    return `failed: ${status.message ?? status.reason ?? "Kubernetes gives no reason"}`;
  const { exitCode, reason } = terminated;
  return `failed: exit code ${exitCode}${reason === undefined || reason === "Error" ? "" : ` (${reason})`}`;
}

function withDetail(reason: string, message: string | undefined): string {
  return message === undefined ? reason : `${reason}: ${message}`;
}

/** Returns the shard of an agent's pod, counted from 1; null for any other pod. */
export function shardOf({ metadata }: ClusterPod): number | null {
  const index = metadata.labels[indexLabel];
  return index === undefined ? null : Number(index) + 1;
}

function describeJob({ metadata, status }: ClusterJob): string[] {
  const failed = status.conditions.find(({ type, status: is }) => type === "Failed" && is === "True");
  if (failed?.reason !== "DeadlineExceeded") return [];
  return [`${metadata.name} was ended by Kubernetes: it took longer than its activeDeadlineSeconds.`];
}

/** Returns the number of agents in each state, in a few words. */
export function describeAgents({ agents, running, succeeded, failed }: RunStanding): string {
  return [
    `${running} of ${agents} running`,
    ...(succeeded > 0 ? [`${succeeded} done`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(", ");
}
