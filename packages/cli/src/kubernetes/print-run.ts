import { Document, isMap, isScalar } from "yaml";

import { runManifests, runSecret } from "./manifests.ts";
import type { Manifest, RunManifestOptions, RunSecrets } from "./run-manifest-options.ts";

/** Renders the manifests of a run, except the Secret, as YAML to keep in git. */
export function printRun(facts: RunManifestOptions, file: string): string {
  const { coordinator, others } = runManifests(facts);
  const { name } = facts;
  const head = [
    `Load test ${file}, from ${facts.agents} agents. Start it with:`,
    "  bearhug k8s run … --print-secret | kubectl apply --server-side -f -     with the same options as this file",
    "  kubectl apply --server-side -f THIS_FILE",
    `  bearhug k8s attach ${name}`,
    `  bearhug k8s stop ${name}     removes it again`,
  ];
  return (
    writeComment(head) +
    [...others.slice(0, -1), coordinator, ...others.slice(-1)].map(writeDocument).join("")
  );
}

/** Renders the Secret of a run as YAML. */
export function printSecret(facts: RunManifestOptions, secrets: RunSecrets): string {
  return writeComment(["Do not keep this in git."]) + writeDocument(runSecret(facts, secrets));
}

function writeDocument(manifest: Manifest): string {
  const comment = describe(manifest);
  const document = new Document(manifest);
  if (manifest.kind === "Job") explainFields(document.get("spec"));
  const yaml = document.toString({ blockQuote: "literal", lineWidth: 0 });
  return `---\n${comment === null ? "" : writeComment([comment])}${yaml}`;
}

/** Comments on the fields of a Job whose reason is not obvious. */
const reasons: Readonly<Record<string, string>> = {
  backoffLimit:
    "If the coordinator dies, a new one takes over, and the agents send it their recordings again.",
  podReplacementPolicy: "Two coordinators at once would be worse than none.",
  podFailurePolicy: "These exit codes are verdicts: no reason to start again.",
  backoffLimitPerIndex: "If one agent fails, the others go on.",
  activeDeadlineSeconds:
    "Ends what hangs: the time for all pods to start (--join-timeout), the longest time that the test can take, and some minutes.",
  ttlSecondsAfterFinished: "Removes the run, with its logs, after this time.",
};

function explainFields(spec: unknown): void {
  if (!isMap(spec)) return;
  for (const { key } of spec.items) {
    const reason = isScalar(key) ? reasons[String(key.value)] : undefined;
    if (isScalar(key) && reason !== undefined) key.commentBefore = ` ${reason}`;
  }
}

function describe({ kind, metadata }: Manifest): string | null {
  if (kind === "ConfigMap") return "The test and the files that it reads, by their hashes.";
  if (kind === "Service") return "Gives the agents the address of the coordinator's pod.";
  if (kind !== "Job") return null;
  return metadata.name.endsWith("-agents")
    ? "Each agent applies its part of the load. One that fails is not started again: its load would begin anew."
    : "Sends the test to the agents, starts them at one moment, and merges their recordings to one result.";
}

function writeComment(lines: readonly string[]): string {
  return lines.map((line) => `# ${line}\n`).join("");
}
