import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { ThresholdResult } from "@bearhug/sdk";
import { expect, onTestFinished, test } from "vitest";

import { startDemo } from "../../src/demo/start-demo.ts";
import { testedTransport } from "../../../http/test/tested-transport.ts";
import { expectBalanced } from "./expect-balanced.ts";
import { type Reported, runForResult } from "./run-bearhug.ts";

const folder = fileURLToPath(new URL("../../../../examples/", import.meta.url));
const examples = readdirSync(folder).filter((name) => name.endsWith(".ts"));

test.for(examples)("examples/%s passes against the demo site", async (name) => {
  const demo = await startDemo({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => demo.close());
  const ended = await runForResult([
    "run",
    folder + name,
    "--target",
    demo.url,
    "--transport",
    testedTransport,
  ]);
  expectToPass(ended);
  for (const { transport } of ended.result.plan.scenarios) expect(transport).toBe(testedTransport);
  expectBalanced(ended.result);
});

/** Expects that the example passes. Its limits on times and load may fail: the machine may be busy. */
function expectToPass({ exitCode, stdout, result }: Reported): void {
  const isOfMachine = ({ metric, expression }: ThresholdResult): boolean =>
    metric === "dropped_iterations" || /\d(?:ms|s)$/.test(expression);
  const failed = result.thresholds.filter(({ passed }) => !passed);
  expect(
    failed.filter((one) => !isOfMachine(one)),
    stdout,
  ).toEqual([]);
  expect(
    result.checks.filter(({ fails }) => fails > 0),
    stdout,
  ).toEqual([]);
  const { failed: failures, dropped } = result.accounting.iterations;
  expect(failures, stdout).toBe(0);
  if (failed.length === 0 && dropped === 0) expect([exitCode, result.verdict], stdout).toEqual([0, "passed"]);
  else expect([0, 99], stdout).toContain(exitCode);
}
