import { exitCodes } from "@bearhug/text/exit-codes";

import { jobDescription, podTemplate, port, variableKey } from "./pod-template.ts";
import { jobName, labelsOf, type Component } from "./run-names.ts";
import type { Manifest, NamedMetadata, RunManifestOptions, RunSecrets } from "./run-manifest-options.ts";

/** The objects of a run besides its Secret. */
export interface RunManifests {
  /** Owns the others. */
  readonly coordinator: Manifest;
  readonly others: readonly Manifest[];
}

export function runManifests(facts: RunManifestOptions): RunManifests {
  const configMap = testConfigMap(facts);
  return {
    coordinator: coordinatorJob(facts),
    others: [...(configMap === null ? [] : [configMap]), coordinatorService(facts), agentsJob(facts)],
  };
}

/** The coordinator outlives the agents by this much, to judge and to tell. */
const judgingSeconds = 300;
const daySeconds = 86_400;

/** A coordinator that was killed starts again, and its agents send it their recordings again. */
const coordinatorRestarts = 3;

/** Starts the run's coordinator. All other objects belong to it, and go with it. */
function coordinatorJob(facts: RunManifestOptions): Manifest {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: metadata(facts, jobName(facts.name, "coordinator"), "coordinator"),
    spec: {
      backoffLimit: coordinatorRestarts,
      // With a failure policy, Kubernetes allows nothing else. Two coordinators at once would be worse than none.
      podReplacementPolicy: "Failed",
      podFailurePolicy: {
        rules: [
          {
            // A verdict is no reason to start again.
            action: "FailJob",
            onExitCodes: { containerName: "coordinator", operator: "In", values: verdicts },
          },
        ],
      },
      activeDeadlineSeconds: facts.deadlineSeconds + judgingSeconds,
      ttlSecondsAfterFinished: daySeconds,
      template: podTemplate(facts, "coordinator"),
    },
  };
}

const verdicts = Object.values(exitCodes)
  .filter((code) => code !== exitCodes.passed)
  .sort((left, right) => left - right);

/** The agents: the n-th index is the n-th shard. An agent that failed is never started again: it would begin its load anew. */
function agentsJob(facts: RunManifestOptions): Manifest {
  const { name, agents } = facts;
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: metadata(facts, jobName(name, "agent"), "agent"),
    spec: {
      completionMode: "Indexed",
      completions: agents,
      parallelism: agents,
      // For each index: one dead pod must not have the others deleted, as with a backoffLimit of 0.
      backoffLimitPerIndex: 0,
      activeDeadlineSeconds: facts.deadlineSeconds,
      ttlSecondsAfterFinished: daySeconds,
      template: podTemplate(facts, "agent"),
    },
  };
}

/** Headless: agents look up the address of the coordinator's pod, also while it is not ready. */
function coordinatorService(facts: RunManifestOptions): Manifest {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: metadata(facts, facts.name),
    spec: {
      clusterIP: "None",
      publishNotReadyAddresses: true,
      selector: labelsOf(facts.name, "coordinator"),
      ports: [{ name: "agents", port }],
    },
  };
}

/** The packed test; null for one that is in the image. Text stays readable. */
function testConfigMap(facts: RunManifestOptions): Manifest | null {
  const { name, test } = facts;
  if (test.kind === "in-image") return null;
  const data: Record<string, string> = {};
  const binaryData: Record<string, string> = {};
  for (const [key, bytes] of test.files) {
    const buffer = Buffer.from(bytes);
    const text = buffer.toString("utf8");
    if (Buffer.from(text).equals(buffer)) data[key] = text;
    else binaryData[key] = buffer.toString("base64");
  }
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: metadata(facts, name),
    immutable: true,
    data,
    ...(Object.keys(binaryData).length > 0 && { binaryData }),
  };
}

export function runSecret(facts: RunManifestOptions, secrets: RunSecrets): Manifest {
  const variables = Object.entries(secrets.variables).map(([name, value]): [string, string] => [
    variableKey(name),
    value,
  ]);
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: metadata(facts, facts.name),
    type: "Opaque",
    immutable: true,
    stringData: {
      token: secrets.token,
      ...(secrets.job !== null && { [jobDescription]: secrets.job }),
      ...Object.fromEntries(variables),
    },
  };
}

function metadata(
  { name: run, namespace }: RunManifestOptions,
  name: string,
  component?: Component,
): NamedMetadata {
  return { name, ...(namespace !== null && { namespace }), labels: labelsOf(run, component) };
}

/** An object that Kubernetes removes with the Job that owns it. */
export function ownedBy(
  manifest: Manifest,
  owner: { readonly name: string; readonly uid: string },
): Manifest {
  const reference = { apiVersion: "batch/v1", kind: "Job", ...owner };
  return { ...manifest, metadata: { ...manifest.metadata, ownerReferences: [reference] } };
}

const mebibyte = 2 ** 20;

/** A sentence for a test that no ConfigMap can hold; null for any other. */
export function sizeProblem({ test }: Pick<RunManifestOptions, "test">): string | null {
  if (test.kind === "in-image") return null;
  let bytes = 0;
  for (const [key, content] of test.files) bytes += key.length + content.length;
  if (bytes <= mebibyte) return null;
  const size = (bytes / mebibyte).toFixed(1);
  return `The test and its files take ${size} MiB, but a ConfigMap holds 1 MiB. Build an image with the test in it, and name its path there with --in-image.`;
}
