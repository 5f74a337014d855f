import { expect, test } from "vitest";

import { readEvents, readJobs, readPods } from "../../src/kubernetes/cluster-objects.ts";
import { indexLabel, labelsOf, type Component } from "../../src/kubernetes/run-names.ts";
import { describeAgents, readStanding, type RunStanding } from "../../src/kubernetes/run-standing.ts";

/** Returns a Job as kubectl lists it, with fields that bearhug does not read. */
function jobOf(component: Component, status: object = {}): object {
  const name = component === "agent" ? "shop-agents" : "shop-coordinator";
  return {
    kind: "Job",
    apiVersion: "batch/v1",
    spec: { completions: component === "agent" ? 3 : 1 },
    status,
    metadata: metadataOf(name, labelsOf("shop", component)),
  };
}

function podOf(index: number | null, status: object, metadata: object = {}): object {
  const labels =
    index === null
      ? labelsOf("shop", "coordinator")
      : { ...labelsOf("shop", "agent"), [indexLabel]: String(index) };
  return {
    kind: "Pod",
    apiVersion: "v1",
    spec: { nodeName: "node-1" },
    status: { qosClass: "x", ...status },
    metadata: { ...metadataOf(`pod-${index ?? "c"}`, labels), ...metadata },
  };
}

function metadataOf(name: string, labels: object): object {
  return { name, uid: `uid-${name}`, labels, creationTimestamp: "2026-11-23T13:56:13Z", generation: 1 };
}

function refusal(message: string): object {
  return {
    kind: "Event",
    reason: "FailedCreate",
    type: "Warning",
    message,
    involvedObject: { kind: "Job", name: "shop-agents", uid: "1" },
  };
}

function standingOf(...items: readonly object[]): RunStanding {
  const list = { kind: "List", items };
  return readStanding({ jobs: readJobs(list), pods: readPods(list), events: readEvents(list) });
}

const both = [jobOf("coordinator"), jobOf("agent")];
const running = { phase: "Running", containerStatuses: [{ state: { running: {} } }] };
const terminated = (exitCode: number, reason: string): object => ({
  phase: "Failed",
  containerStatuses: [{ state: { terminated: { exitCode, reason } } }],
});

test("a run whose pods do not exist yet waits for its coordinator", () => {
  expect(standingOf(...both)).toEqual({
    agents: 3,
    running: 0,
    succeeded: 0,
    failed: 0,
    coordinator: "waiting",
    joinTimeoutMs: null,
    coordinatorProblem: null,
    problems: [],
  });
});

test("a run under way counts its agents by state", () => {
  const pods = [podOf(null, running), podOf(0, running), podOf(1, { phase: "Succeeded" })];
  const standing = standingOf(...both, ...pods, podOf(2, terminated(109, "Error")));
  expect(describeAgents(standing)).toBe("1 of 3 running, 1 done, 1 failed");
  expect(standing.coordinator).toBe("running");
  expect(standing.problems).toEqual(["Agent 3 failed: exit code 109"]);
});

test.each(["Complete", "Failed"])("a coordinator's Job that is %s has ended", (type) => {
  const job = jobOf("coordinator", { conditions: [{ type, status: "True" }] });
  expect(standingOf(job, jobOf("agent")).coordinator).toBe("ended");
});

test("a Job that is about to fail has not ended, because its pods still run", () => {
  const job = jobOf("coordinator", { conditions: [{ type: "FailureTarget", status: "True" }] });
  expect(standingOf(job, podOf(null, running)).coordinator).toBe("running");
});

test("a run that was removed has no coordinator", () => {
  expect(standingOf().coordinator).toBe("absent");
});

test("repeated refusals by a quota are reported once, although each names another pod", () => {
  const quota = "exceeded quota: few, requested: pods=1, used: pods=3, limited: pods=3";
  const events = ["a", "b"].map((pod) =>
    refusal(`Error creating: pods "shop-agents-1-${pod}" is forbidden: ${quota}`),
  );
  expect(standingOf(...both, ...events).problems).toEqual([
    `Kubernetes refuses a pod of shop-agents: ${quota}`,
  ]);
});

test("other events are not reported as problems", () => {
  const created = { ...refusal("Created pod: shop-agents-0-x"), reason: "SuccessfulCreate" };
  expect(standingOf(...both, created).problems).toEqual([]);
});

test("pods that cannot start are reported with the reason, in one sentence for each reason", () => {
  const state = { waiting: { reason: "ImagePullBackOff", message: 'Back-off pulling image "x"' } };
  const pulling = { phase: "Pending", containerStatuses: [{ state }] };
  const creating = {
    phase: "Pending",
    containerStatuses: [{ state: { waiting: { reason: "ContainerCreating" } } }],
  };
  const scheduled = { type: "PodScheduled", status: "False", message: "0/3 nodes are available" };
  const pods = [
    podOf(0, pulling),
    podOf(1, pulling),
    podOf(2, { phase: "Pending", conditions: [scheduled] }),
  ];
  expect(standingOf(...both, podOf(null, creating), ...pods).problems).toEqual([
    'Agents 1–2 cannot start: ImagePullBackOff: Back-off pulling image "x"',
    "Agent 3 cannot be placed on a node: 0/3 nodes are available",
  ]);
});

test("a pod on a lost node no longer counts as running", () => {
  const lost = podOf(1, running, { deletionTimestamp: "2026-11-23T13:58:00Z" });
  const standing = standingOf(...both, podOf(0, running), lost);
  expect(standing.running).toBe(1);
  expect(standing.problems).toEqual(["Agent 2 is being stopped, or its node does not answer."]);
});

test("a pod that was killed is reported with the cause", () => {
  const evicted = { phase: "Failed", reason: "Evicted", message: "The node was low on memory." };
  const pods = [podOf(null, terminated(137, "OOMKilled")), podOf(1, evicted)];
  expect(standingOf(...both, ...pods).problems).toEqual([
    "The coordinator failed: exit code 137 (OOMKilled)",
    "Agent 2 failed: The node was low on memory.",
  ]);
});

test("a Job that Kubernetes ended at its deadline is reported", () => {
  const failed = {
    type: "Failed",
    status: "True",
    reason: "DeadlineExceeded",
    message: "Job was active longer",
  };
  expect(standingOf(jobOf("coordinator"), jobOf("agent", { conditions: [failed] })).problems).toEqual([
    "shop-agents was ended by Kubernetes: it took longer than its activeDeadlineSeconds.",
  ]);
});
