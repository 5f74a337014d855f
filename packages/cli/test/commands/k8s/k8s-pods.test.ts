import { expect, test } from "vitest";

import { readPodFlags, type PodFlags } from "../../../src/commands/k8s/k8s-pods.ts";

const given: PodFlags = {
  parallelism: "48",
  image: "registry.example/bearhug:1",
  cpu: "500m",
  memory: "1.5Gi",
  pullSecret: [],
  nodeSelector: ["pool=load", "disk="],
  joinTimeout: "5m",
};

function problemsOf(flags: Partial<PodFlags>): string[] {
  const problems: string[] = [];
  readPodFlags({ ...given, ...flags }, problems);
  return problems;
}

test("valid options for pods are read", () => {
  const problems: string[] = [];
  const { facts, joinTimeoutMs } = readPodFlags(given, problems);
  expect(problems).toEqual([]);
  expect(facts.agents).toBe(48);
  expect(facts.pods.nodeSelector).toEqual({ pool: "load", disk: "" });
  expect(joinTimeoutMs).toBe(300_000);
});

test.each<[Partial<PodFlags>, string]>([
  [{ parallelism: "0" }, "--parallelism 0: must be a whole number from 1."],
  [{ cpu: "two" }, "--cpu two: must be a number of cores, such as 2 or 500m."],
  [{ parallelism: "10001" }, "--parallelism 10001: must be at most 10000."],
  [{ image: "bear hug" }, "--image bear hug: must be a name without spaces."],
  [{ pullSecret: ["A b"] }, "--pull-secret A b: must be the name of a Secret in the namespace of the run."],
  [{ cpu: "0" }, "--cpu 0: must be a number of cores, such as 2 or 500m."],
  [{ memory: "0Gi" }, "--memory 0Gi: must be a size as Kubernetes writes it, such as 512Mi or 2Gi."],
  [{ memory: "1GB" }, "--memory 1GB: must be a size as Kubernetes writes it, such as 512Mi or 2Gi."],
  [{ nodeSelector: ["pool"] }, "--node-selector pool: must be label=value."],
  [
    { image: "" },
    "--image is missing: the image that has bearhug in it. docs/kubernetes.md says how to build one.",
  ],
])("%j is refused in one sentence", (flags, problem) => {
  expect(problemsOf(flags)).toEqual([problem]);
});

test("all problems are reported at once", () => {
  expect(problemsOf({ parallelism: "many", name: "Shop", cpu: "-1" })).toHaveLength(3);
});
