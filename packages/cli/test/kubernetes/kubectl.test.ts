import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { createRun } from "../../src/kubernetes/change-run.ts";
import { Kubectl } from "../../src/kubernetes/kubectl.ts";
import { runManifests } from "../../src/kubernetes/manifests.ts";
import { facts } from "./facts.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bearhug-kubectl-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Puts a stand-in for kubectl first in PATH. */
async function installKubectl(script: string): Promise<void> {
  const path = join(folder, "kubectl");
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"] ?? ""}`);
}

const kubectl = new Kubectl({ context: "staging", namespace: "load" });

test("kubectl receives the cluster context and the namespace", async () => {
  await installKubectl(`printf '{"words": "%s"}' "$*"`);
  expect(await kubectl.get("jobs")).toEqual({
    words: "get jobs --output json --context staging --namespace load",
  });
});

test("an error of kubectl is reported in one sentence, without its warnings", async () => {
  await installKubectl(
    `echo 'Warning: version skew' >&2; echo 'E1123 10:00:00 memcache.go:265] "Unhandled Error"' >&2; echo 'error: context "staging" does not exist' >&2; exit 1`,
  );
  await expect(kubectl.run(["get", "jobs"])).rejects.toThrow(
    'kubectl get jobs failed: error: context "staging" does not exist',
  );
});

test("the error of a kubectl that does not read a large input is reported, too", async () => {
  await installKubectl("echo 'error: no room' >&2; exit 1");
  await expect(kubectl.run(["create"], "x".repeat(2 ** 21))).rejects.toThrow(
    "kubectl create failed: error: no room",
  );
});

test("a missing kubectl is reported with the advice to install it", async () => {
  vi.stubEnv("PATH", "");
  await expect(kubectl.run(["get", "jobs"])).rejects.toThrow("kubectl was not found. Install it");
});

test("if Kubernetes refuses one object, nothing of the run is left", async () => {
  const log = join(folder, "log");
  const job = '{"metadata":{"name":"c","uid":"u","creationTimestamp":"t"},"spec":{}}';
  await installKubectl(
    `input=$(cat); echo "$1 $2 $3" >> ${log}
case "$input" in *'"kind":"List"'*) echo 'error: secrets "x" is forbidden' >&2; exit 1;; esac; echo '${job}'`,
  );
  const { coordinator, others } = runManifests(facts);
  await expect(createRun(kubectl, coordinator, others)).rejects.toThrow('secrets "x" is forbidden');
  expect((await readFile(log, "utf8")).trim().split("\n").at(-1)).toBe("delete job c");
});
