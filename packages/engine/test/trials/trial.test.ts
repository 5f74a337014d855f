import { setTimeout as wait } from "node:timers/promises";

import { readRunOptions, type WrittenOptions } from "@bearhug/plan/test-file/run-options";
import { expect, test } from "vitest";

import { Interruptions } from "../../src/run/interruptions.ts";
import { loadUrl } from "../../src/run/load-test.ts";
import { createTrials, type RunTrial } from "../../src/trials/trial.ts";
import { trialFigures } from "../../src/trials/trial-figures.ts";
import { launchEmbedded } from "../../src/worker/launch-in-this-thread.ts";
import { startServer } from "../../../cli/test/end-to-end/test-server.ts";

const responseMs = 20;
const plan = { settleMs: 450, measureMs: 450, seed: 1 };

async function startTrials(
  written: WrittenOptions = {},
): Promise<{ runTrial: RunTrial; interruptions: Interruptions; connections: () => number }> {
  const { url, connections } = await startServer((_request, response) => {
    setTimeout(() => response.end("hello\n"), responseMs);
  });
  const interruptions = new Interruptions();
  const runTrial = createTrials({
    loaded: loadUrl({ method: "GET", url, headers: [], body: null }),
    options: readRunOptions({ workers: "0", iterations: "7", ...written }, []),
    launch: launchEmbedded,
    interruptions,
    observer: { onLog: () => undefined, onWarning: () => undefined },
  });
  return { runTrial, interruptions, connections };
}

test("each trial of a run applies its own load, and does not measure the settling time", async () => {
  const { runTrial } = await startTrials();
  for (const vus of [2, 5]) {
    const trial = { ...plan, load: { kind: "vus", vus } } as const;
    const result = await runTrial(trial);
    expect(result.plan).toMatchObject({ warmupMs: 450, scenarios: [{ executor: "constant-vus" }] });
    const figures = trialFigures(trial, result);
    expect(figures).toMatchObject({ operation: "request", failedShare: 0, dropped: 0, offeredRate: null });
    // Each VU has one request at a time. With the settling time, there would be twice as many.
    const requestsPerVu = trial.measureMs / responseMs;
    expect(figures.busyVus).toBeGreaterThan(vus * 0.7);
    expect(figures.busyVus).toBeLessThan(vus * 1.6);
    expect(figures.rate).toBeLessThanOrEqual((vus * 1000 * (1 + 1 / requestsPerVu)) / (responseMs - 1));
  }
});

test("an arrival rate uses no more virtual users than it may", async () => {
  const { runTrial, connections } = await startTrials({ vus: "2" });
  const trial = { ...plan, load: { kind: "rate", perSecond: 400 } } as const;
  expect(trialFigures(trial, await runTrial(trial)).dropped).toBeGreaterThan(0);
  expect(connections()).toBe(2);
});

test("an interruption ends the running trial", async () => {
  const { runTrial, interruptions } = await startTrials();
  const trial = runTrial({ ...plan, measureMs: 60_000, load: { kind: "vus", vus: 1 } });
  await wait(300);
  interruptions.interrupt("SIGINT");
  expect(await trial).toMatchObject({ verdict: "interrupted", exitCode: 105 });
});
