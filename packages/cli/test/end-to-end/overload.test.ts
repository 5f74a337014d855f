import { executeRun } from "@bearhug/engine/run/conduct-run";
import { Interruptions } from "@bearhug/engine/run/interruptions";
import { loadUrl } from "@bearhug/engine/run/load-test";
import { readRunOptions } from "@bearhug/plan/test-file/run-options";
import type { TestResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { launcherFor } from "../../src/run/launcher-for.ts";
import { describeAttempts, measureUntilQuiet } from "../import/attempts.ts";
import { startServer } from "./test-server.ts";

/** Starts a server that works on one request after another, even if the client has given up. */
async function startWasteful(): Promise<string> {
  const waiting: (() => void)[] = [];
  const work = (): void => {
    setTimeout(() => {
      waiting.shift()?.();
      if (waiting.length > 0) work();
    }, 8);
  };
  const { url } = await startServer((_request, response) => {
    waiting.push(() => response.end());
    if (waiting.length === 1) work();
  });
  return url;
}

async function overloadWasteful(): Promise<TestResult["overload"]> {
  const loaded = loadUrl({ method: "GET", url: await startWasteful(), headers: [], body: null });
  const written = { rate: "20", overload: "15", timeout: "400ms", workers: "1", seed: "1" };
  const { overload } = await executeRun({
    loaded,
    // The shortest duration in which each phase has enough whole intervals.
    options: { ...readRunOptions(written, []), durationMs: 12_000 },
    recorder: null,
    observer: { onLog: () => undefined, onWarning: () => undefined },
    launch: await launcherFor(loaded, null),
    interruptions: new Interruptions(),
  });
  return overload;
}

function isSaturation(problem: string): boolean {
  return problem.startsWith("the load generator was saturated");
}

test("a target that loses work under load is seen to collapse", { timeout: 300_000 }, async () => {
  let overload: TestResult["overload"];
  // On a busy machine the generator is late, and the outcome is unclear.
  const attempts = await measureUntilQuiet(async () => {
    overload = await overloadWasteful();
    return overload?.kind === "unclear" ? [overload.because] : [];
  }, isSaturation);
  expect(overload, describeAttempts(attempts)).toMatchObject({
    kind: "collapses",
    rate: 20,
    factor: 15,
    recovery: { afterMs: null },
  });
  expect(overload?.because).toMatch(/^goodput fell to .*\/s, .* % below its peak of /);
  expect(overload?.phases.map(({ name }) => name)).toEqual(["base", "past", "recovery"]);
  expect(overload?.phases[0]?.goodput).toBeGreaterThan(10);
  expect(overload?.phases[1]?.goodput).toBeLessThan(10);
});
