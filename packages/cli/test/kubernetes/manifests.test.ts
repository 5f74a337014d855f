import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";

import { runManifests, runSecret, sizeProblem } from "../../src/kubernetes/manifests.ts";
import { printRun, printSecret } from "../../src/kubernetes/print-run.ts";
import type { RunManifestOptions } from "../../src/kubernetes/run-manifest-options.ts";
import { facts, secrets } from "./facts.ts";

const inImage: RunManifestOptions = {
  ...facts,
  namespace: "load",
  test: {
    kind: "in-image",
    path: "/tests/shop.ts",
    options: ["--rate", "300", "--tag", "at=$(date)"],
    variables: ["PASSWORD"],
  },
  pods: { ...facts.pods, pullSecrets: ["registry"], nodeSelector: { pool: "load" } },
  allowsPartial: true,
};

test("the printed manifests of a packed test match golden/packed.yaml", async () => {
  await expect(printRun(facts, "shop.ts")).toMatchFileSnapshot("golden/packed.yaml");
});

test("the printed manifests of a test in the image match golden/in-image.yaml", async () => {
  await expect(printRun(inImage, "shop.ts")).toMatchFileSnapshot("golden/in-image.yaml");
});

test("the printed Secret matches golden/secret.yaml", async () => {
  await expect(printSecret(facts, secrets)).toMatchFileSnapshot("golden/secret.yaml");
});

test("printed manifests are those that a run creates", () => {
  const { coordinator, others } = runManifests(facts);
  const printed = parseAllDocuments(printRun(facts, "shop.ts")).map((document) => document.toJS() as unknown);
  const created = [...others.slice(0, -1), coordinator, ...others.slice(-1)];
  expect(printed.filter((one) => one !== null)).toEqual(JSON.parse(JSON.stringify(created)));
});

test("no value of the Secret is in the other manifests", () => {
  const withVariable = { ...secrets, job: null, variables: { PASSWORD: "hunter2-hunter2" } };
  expect(JSON.stringify(runSecret(inImage, withVariable))).toContain("hunter2-hunter2");
  const printed = printRun(inImage, "shop.ts");
  expect(printed).not.toContain("hunter2-hunter2");
  expect(printed).not.toContain(secrets.token);
});

test("the coordinator's Job fails for each exit code of a verdict, and restarts after any other end", () => {
  const text = JSON.stringify(runManifests(facts).coordinator);
  const [, codes = ""] = /"operator":"In","values":\[([\d,]+)\]/.exec(text) ?? [];
  const failures = Object.values(exitCodes).filter((code) => code !== 0);
  expect(codes.split(",").map(Number).toSorted()).toEqual(failures.toSorted());
  expect(failures.filter((code) => code > 128)).toEqual([]);
});

test("a test that is too large for a ConfigMap is refused with a remedy", () => {
  const files = new Map([["a".repeat(64), Buffer.alloc(2 ** 20 - 64)]]);
  expect(sizeProblem({ test: { kind: "packed", files } })).toBeNull();
  files.set("b", Buffer.alloc(2 ** 20));
  expect(sizeProblem({ test: { kind: "packed", files } })).toBe(
    "The test and its files take 2.0 MiB, but a ConfigMap holds 1 MiB. Build an image with the test in it, and name its path there with --in-image.",
  );
});
