import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

import { expect, test } from "vitest";

import { labelsOf, type Component } from "../../../src/kubernetes/run-names.ts";
import { runBearhug, temporaryFolder } from "../../end-to-end/run-bearhug.ts";

/** Makes a folder with a stand-in for kubectl that lists these objects. */
function kubectlWith(items: readonly object[]): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "objects.json"), JSON.stringify({ kind: "List", items }));
  const path = join(folder, "kubectl");
  writeFileSync(path, `#!/bin/sh\ncat ${join(folder, "objects.json")}\n`);
  chmodSync(path, 0o755);
  return folder;
}

function objectOf(
  kind: "Job" | "Pod",
  component: Component,
  status: object,
  args: readonly string[] = [],
): object {
  const name = `shop-${component}`;
  return {
    kind,
    status,
    spec: { completions: 1, template: { spec: { containers: [{ args }] } } },
    metadata: {
      name,
      uid: name,
      labels: labelsOf("shop", component),
      creationTimestamp: "2026-11-23T13:56:13Z",
    },
  };
}

const jobs = [
  objectOf("Job", "coordinator", {}, ["coordinate", "/job", "--join-timeout", "1s"]),
  objectOf("Job", "agent", {}),
];
const pending = (facts: object): object => objectOf("Pod", "coordinator", { phase: "Pending", ...facts });
const waitingFor = (reason: string, message: string): object =>
  pending({ containerStatuses: [{ state: { waiting: { reason, message } } }] });

test.each([
  [
    "whose image cannot be pulled",
    waitingFor("ImagePullBackOff", 'Back-off pulling image "bearhug:misspelt"'),
    'The coordinator cannot start: ImagePullBackOff: Back-off pulling image "bearhug:misspelt"',
  ],
  [
    "that no node takes",
    pending({ conditions: [{ type: "PodScheduled", status: "False", message: "0/3 nodes are available" }] }),
    "The coordinator cannot be placed on a node: 0/3 nodes are available",
  ],
  ["without a reason", pending({}), "Kubernetes reports no reason. See: kubectl describe pods --selector "],
])(
  "k8s attach waits for a coordinator %s until the run's join timeout, and reports why",
  async (_kind, pod, why) => {
    const kubectl = kubectlWith([...jobs, pod]);
    const path = `${kubectl}${delimiter}${process.env["PATH"] ?? ""}`;
    const { exitCode, stderr } = await runBearhug(["k8s", "attach", "shop"], temporaryFolder(), {
      PATH: path,
    });
    expect(stderr).toMatch(
      /the coordinator of shop did not start within 1\ss \(--join-timeout\): no load was applied\.\n/,
    );
    expect(stderr).toContain(`bearhug: ${why}`);
    expect(stderr).toContain("shop still waits for it. Remove the run: bearhug k8s stop shop");
    expect(stderr).not.toContain("was removed");
    expect(exitCode).toBe(109);
  },
);

test.each(["attach", "collect", "stop"])(
  "k8s %s refuses a report before it asks the cluster",
  async (word) => {
    const folder = temporaryFolder();
    const { exitCode, stderr } = await runBearhug(["k8s", word, "shop", "--out", `junit=${folder}`]);
    expect(stderr).toBe(
      `bearhug: --out junit=${folder}: ${folder} is a folder. Name a file in it, such as ${join(folder, "report")}.\n`,
    );
    expect(exitCode).toBe(104);
  },
);
