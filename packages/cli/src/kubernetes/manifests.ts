import { exitCodes } from "@bearhug/metrics/results/exit-codes";

import { jobDescription, podTemplate, port, variableKey } from "./pod-template.ts";
import { jobName, labelsOf, type Component } from "./run-names.ts";
import type { Manifest, NamedMetadata, RunManifestOptions, RunSecrets } from "./run-manifest-options.ts";

/** The objects of a run, except its Secret. */
export interface RunManifests {
  /** The Job that owns the others. */
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

/** The coordinator may outlive the agents by this much, to judge and report. */
const judgingSeconds = 300;
const daySeconds = 86_400;

/** Restarts after the coordinator was killed; its agents then send their recordings again. */
const coordinatorRestarts = 3;

/** Returns the Job of the coordinator, which owns all other objects. */
function coordinatorJob(facts: RunManifestOptions): Manifest {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: metadata(facts, jobName(facts.name, "coordinator"), "coordinator"),
    spec: {
      backoffLimit: coordinatorRestarts,
      // The only value that Kubernetes allows with a failure policy. It prevents two coordinators at once.
      podReplacementPolicy: "Failed",
      podFailurePolicy: {
        rules: [
          {
            // An exit code that is a verdict does not cause a restart.
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

/**
 * Returns the Job of the agents, whose index is the shard. A failed agent is never restarted, because it
 * would begin its load again.
 */
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
      // Limited per index: with a backoffLimit of 0, one failed pod would end all others.
      backoffLimitPerIndex: 0,
      activeDeadlineSeconds: facts.deadlineSeconds,
      ttlSecondsAfterFinished: daySeconds,
      template: podTemplate(facts, "agent"),
    },
  };
}

/** Returns a headless Service, through which agents find the coordinator's pod even while it is not ready. */
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

/** Returns the ConfigMap of the packed test; null for a test in the image. Text files stay readable. */
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

/** Returns the object with an owner reference, so that Kubernetes removes it with the owning Job. */
export function ownedBy(
  manifest: Manifest,
  owner: { readonly name: string; readonly uid: string },
): Manifest {
  const reference = { apiVersion: "batch/v1", kind: "Job", ...owner };
  return { ...manifest, metadata: { ...manifest.metadata, ownerReferences: [reference] } };
}

const mebibyte = 2 ** 20;

/** Returns a sentence if a test is too large for a ConfigMap; otherwise null. */
export function sizeProblem({ test }: Pick<RunManifestOptions, "test">): string | null {
  if (test.kind === "in-image") return null;
  let bytes = 0;
  for (const [key, content] of test.files) bytes += key.length + content.length;
  if (bytes <= mebibyte) return null;
  const size = (bytes / mebibyte).toFixed(1);
  return `The test and its files take ${size} MiB, but a ConfigMap holds 1 MiB. Build an image with the test in it, and name its path there with --in-image.`;
}
