import { readJob } from "./cluster-objects.ts";
import type { Kubectl } from "./kubectl.ts";
import { ownedBy } from "./manifests.ts";
import { jobName, selectorOf } from "./run-names.ts";
import type { Manifest } from "./run-manifest-options.ts";

/**
 * Creates a run's objects. The coordinator's Job owns all of them, so that Kubernetes removes them with it.
 * @throws {KubectlFailed} if Kubernetes rejects one; then the Job is deleted again
 */
export async function createRun(
  kubectl: Kubectl,
  coordinator: Manifest,
  others: readonly Manifest[],
): Promise<void> {
  const create = ["create", "--filename", "-"];
  const made = await kubectl.run([...create, "--output", "json"], JSON.stringify(coordinator));
  const { name, uid } = readJob(JSON.parse(made)).metadata;
  const items = others.map((manifest) => ownedBy(manifest, { name, uid }));
  try {
    await kubectl.run(create, JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  } catch (error) {
    await kubectl.run(["delete", "job", name, "--wait=false"]);
    throw error;
  }
}

/**
 * Stops the agents by deleting their Job: they end their load gracefully and report that to the coordinator.
 */
export async function stopAgents(kubectl: Kubectl, run: string): Promise<void> {
  await kubectl.run(["delete", "job", jobName(run, "agent"), "--wait=false", "--ignore-not-found"]);
}

/** Removes everything that a run has in the cluster. */
export async function removeRun(kubectl: Kubectl, run: string): Promise<void> {
  const kinds = "jobs,services,configmaps,secrets";
  await kubectl.run(["delete", kinds, "--selector", selectorOf(run), "--wait=false"]);
}
