import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { Kubectl } from "../../src/kubernetes/kubectl.ts";
import { labelsOf, type Component } from "../../src/kubernetes/run-names.ts";
import type { RunStanding } from "../../src/kubernetes/run-standing.ts";
import { watchRun } from "../../src/kubernetes/watch-run.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bearhug-watch-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Puts a stand-in for kubectl first in PATH, which lists these objects. */
async function installKubectl(items: readonly object[]): Promise<void> {
  await writeFile(join(folder, "objects.json"), JSON.stringify({ kind: "List", items }));
  const path = join(folder, "kubectl");
  await writeFile(path, `#!/bin/sh\ncat ${join(folder, "objects.json")}\n`);
  await chmod(path, 0o755);
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"] ?? ""}`);
}

function objectOf(kind: "Job" | "Pod", component: Component, status: object): object {
  const labels = labelsOf("shop", component);
  const name = `shop-${component}`;
  return {
    kind,
    status,
    spec: {},
    metadata: { name, uid: name, labels, creationTimestamp: "2026-11-23T13:56:13Z" },
  };
}

/** Watches a run by a clock that advances only while waiting. */
async function watch(hasStartTimeout: boolean): Promise<{ end: RunStanding; printed: string[]; ms: number }> {
  const controller = new AbortController();
  const printed: string[] = [];
  let ms = 0;
  const end = await watchRun(new Kubectl({ context: null, namespace: null }), "shop", {
    print: (line) => printed.push(line),
    log: () => undefined,
    wait: (waitMs) => {
      ms += waitMs;
      if (ms >= 60_000) controller.abort();
      return Promise.resolve();
    },
    signal: controller.signal,
    hasStartTimeout,
  });
  return { end, printed, ms };
}

const args = ["coordinate", "/job", "--join-timeout", "5s"];
const coordinator = {
  ...objectOf("Job", "coordinator", {}),
  spec: { completions: 1, template: { spec: { containers: [{ name: "coordinator", args }] } } },
};
const jobs = [coordinator, objectOf("Job", "agent", {})];
const waiting = { reason: "ErrImagePull", message: "no such image" };
const unpulled = { phase: "Pending", containerStatuses: [{ state: { waiting } }] };

test("a coordinator that cannot start is waited for until the join timeout, and the reason is reported", async () => {
  await installKubectl([...jobs, objectOf("Pod", "coordinator", unpulled)]);
  const { end, printed, ms } = await watch(true);
  expect(ms).toBe(5000);
  const problem = "The coordinator cannot start: ErrImagePull: no such image";
  expect(end).toMatchObject({ coordinator: "waiting", coordinatorProblem: problem });
  expect(printed).toContain(problem);
  expect((await watch(false)).ms).toBe(60_000);
});

test("a coordinator's pod that Kubernetes refuses is reported with the reason, too", async () => {
  const refusal = {
    kind: "Event",
    reason: "FailedCreate",
    message: "exceeded quota: pods",
    involvedObject: { kind: "Job", name: "shop-coordinator" },
  };
  await installKubectl([...jobs, refusal]);
  const { end, ms } = await watch(true);
  expect(ms).toBe(5000);
  expect(end.coordinatorProblem).toBe("Kubernetes refuses a pod of shop-coordinator: exceeded quota: pods");
});

test("a running coordinator has no start timeout here, because it waits for its agents itself", async () => {
  const running = { phase: "Running", containerStatuses: [{ state: { running: {} } }] };
  await installKubectl([...jobs, objectOf("Pod", "coordinator", running)]);
  expect((await watch(true)).ms).toBe(60_000);
});
