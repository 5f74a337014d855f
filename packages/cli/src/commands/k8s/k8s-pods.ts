import { randomBytes } from "node:crypto";

import type { ValidatedTest } from "@bearhug/plan/definition/validated-test";
import { latestEndMs } from "@bearhug/plan/executors/load-models";
import type { PlannedRun } from "@bearhug/plan/test-file/make-plan";
import { readCount, readPositiveDuration } from "@bearhug/plan/test-file/quantities";
import { Option, type Command } from "commander";

import { addOptions, repeatableOption } from "../options.ts";
import type { PodOptions, RunManifestOptions } from "../../kubernetes/run-manifest-options.ts";
import { nameProblem, nameRun } from "../../kubernetes/run-names.ts";
import { maxAgents } from "../remote-agents.ts";

/** The flags of a run that concern its pods, unparsed. */
export interface PodFlags {
  readonly parallelism?: string;
  readonly image?: string;
  readonly name?: string;
  readonly cpu: string;
  readonly memory: string;
  readonly pullSecret: readonly string[];
  readonly nodeSelector: readonly string[];
  readonly joinTimeout: string;
}

export function addPodOptions(command: Command): Command {
  return addOptions(command, "Pods and agents", [
    new Option("--parallelism <n>", "number of agents, each in a pod of its own"),
    new Option("--image <name>", "the image that has bearhug in it"),
    new Option("--name <name>", "name of the run, instead of one made from that of the test"),
    new Option("--cpu <cores>", "CPU of each pod, as request and limit").default("1"),
    new Option("--memory <size>", "memory of each pod, as request and limit").default("1Gi"),
    repeatableOption("--pull-secret <name>", "use this Secret to pull the image"),
    repeatableOption("--node-selector <label=value>", "run the pods on nodes with this label"),
    new Option("--join-timeout <time>", "how long to wait until all agents have joined").default("10m"),
  ]);
}

/** The facts of a run that come from the command line alone. */
interface ParsedPodFlags {
  readonly facts: Pick<RunManifestOptions, "agents" | "pods" | "joinTimeout">;
  readonly joinTimeoutMs: number;
}

/** Kubernetes quantities greater than zero. */
const quantities = {
  cpu: /^(?=.*[1-9])\d+(\.\d+)?m?$/,
  memory: /^(?=.*[1-9])\d+(\.\d+)?([KMGT]i?)?$/,
};

/** The name of an object of the cluster. */
const objectName = /^[a-z\d]([-.a-z\d]{0,251}[a-z\d])?$/;

/** Parses the flags about pods; adds a sentence to `problems` for each that cannot be used. */
export function readPodFlags(flags: PodFlags, problems: string[]): ParsedPodFlags {
  const { parallelism, image = "", name, cpu, memory, pullSecret } = flags;
  const agents = readCount("--parallelism", parallelism, 1, problems) ?? 1;
  if (parallelism === undefined)
    problems.push("--parallelism is missing: the number of agents, such as --parallelism 48.");
  if (image === "")
    problems.push(
      "--image is missing: the image that has bearhug in it. docs/kubernetes.md says how to build one.",
    );
  if (agents > maxAgents) problems.push(`--parallelism ${agents}: must be at most ${maxAgents}.`);
  if (/\s/.test(image)) problems.push(`--image ${image}: must be a name without spaces.`);
  problems.push(
    ...pullSecret
      .filter((secret) => !objectName.test(secret))
      .map((secret) => `--pull-secret ${secret}: must be the name of a Secret in the namespace of the run.`),
  );
  const problem = name === undefined ? null : nameProblem(name);
  if (problem !== null) problems.push(problem);
  if (!quantities.cpu.test(cpu)) problems.push(`--cpu ${cpu}: must be a number of cores, such as 2 or 500m.`);
  if (!quantities.memory.test(memory))
    problems.push(`--memory ${memory}: must be a size as Kubernetes writes it, such as 512Mi or 2Gi.`);
  const joinTimeoutMs = readPositiveDuration("--join-timeout", flags.joinTimeout, problems) ?? 0;
  const nodeSelector = readLabels(flags.nodeSelector, problems);
  const pods: PodOptions = { image, pullSecrets: pullSecret, cpu, memory, nodeSelector };
  return { facts: { agents, pods, joinTimeout: flags.joinTimeout }, joinTimeoutMs };
}

function readLabels(written: readonly string[], problems: string[]): Record<string, string> {
  const pairs = written.flatMap((text) => {
    const [, label, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (label !== undefined && value !== undefined) return [[label, value] as const];
    problems.push(`--node-selector ${text}: must be label=value.`);
    return [];
  });
  return Object.fromEntries(pairs);
}

/** Returns the time limits of the run's objects, which depend on the test. */
export function timesOf(
  { setupTimeoutMs, teardownTimeoutMs }: ValidatedTest,
  { plan }: PlannedRun,
  joinTimeoutMs: number,
): Pick<RunManifestOptions, "deadlineSeconds" | "graceSeconds"> {
  const scenarios = plan.scenarios.map(({ scenario }) => scenario);
  const loadMs = Math.max(...scenarios.map(latestEndMs));
  const stopMs = Math.max(...scenarios.map(({ gracefulStopMs }) => gracefulStopMs));
  return {
    deadlineSeconds: toSeconds(joinTimeoutMs + setupTimeoutMs + loadMs + teardownTimeoutMs + slackMs),
    graceSeconds: toSeconds(stopMs + teardownTimeoutMs + postMs),
  };
}

/** Allows for pulling the image, loading the test, and the last posts of agents to the coordinator. */
const slackMs = 300_000;
/** Allows for the last reports of slow workers, and the last posts. */
const postMs = 60_000;

function toSeconds(ms: number): number {
  return Math.ceil(ms / 1000);
}

/** Returns the run's name: unique each time, except in printed manifests, where it stays the same. */
export function chooseName(given: string | undefined, testName: string, isPrinted: boolean): string {
  return given ?? nameRun(testName, isPrinted ? "run" : randomBytes(3).toString("hex"));
}
