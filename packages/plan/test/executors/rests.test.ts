import { describe, expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import { constantVus } from "../../src/executors/constant-vus.ts";
import { perVuIterations } from "../../src/executors/per-vu-iterations.ts";
import { rampingVus } from "../../src/executors/ramping-vus.ts";
import { sharedIterations } from "../../src/executors/shared-iterations.ts";
import { FakeClock } from "../pacing/fake-clock.ts";
import { FakeShare, upTo } from "./fake-share.ts";

const scenario = {
  name: "readers",
  startTimeMs: 0,
  gracefulStopMs: 30_000,
  expectsNoRequests: false,
  tags: {},
  env: {},
  http: defaultHttp,
} as const;

const restingShare = (restMs: (vu: number) => number): FakeShare =>
  new FakeShare(new FakeClock(), { iterationMs: () => 100, restMs });

/** Returns when the run ended, on the share's fake clock. */
async function endOf(run: Promise<void>, { clock }: FakeShare, untilMs: number): Promise<number> {
  let endedMs = Number.NaN;
  void run.then(() => (endedMs = clock.now()));
  await clock.runTo(untilMs, 0);
  await run;
  return endedMs;
}

describe("a VU that has to rest after an iteration", () => {
  test("starts the next one after the rest, and does not wait for a rest that outlasts the scenario's time", async () => {
    const share = restingShare((vu) => (vu === 0 ? 900 : 0));
    const ended = constantVus.run({ ...scenario, executor: "constant-vus", vus: 2, durationMs: 2500 }, share);
    share.clock.at(2500, () => {
      share.end();
    });
    expect(await endOf(ended, share, 10_000)).toBe(2500);
    const startsMs = share.ran.filter(({ vu }) => vu === 0).map(({ atMs }) => atMs);
    expect(startsMs).toEqual([0, 1000, 2000]);
    expect(share.ran.filter(({ vu }) => vu === 1)).toHaveLength(25);
  });

  test("does not rest when its iteration outlasted the scenario's time", async () => {
    const share = restingShare(() => 2000);
    const ended = constantVus.run({ ...scenario, executor: "constant-vus", vus: 1, durationMs: 50 }, share);
    share.clock.at(50, () => {
      share.end();
    });
    expect(await endOf(ended, share, 10_000)).toBe(100);
  });

  test("runs all its own iterations, and does not rest after the last one", async () => {
    const share = restingShare(() => 400);
    const planned = { ...scenario, executor: "per-vu-iterations", vus: 2, iterations: 3 } as const;
    expect(
      await endOf(perVuIterations.run({ ...planned, maxDurationMs: 60_000 }, share), share, 60_000),
    ).toBe(1100);
    expect(share.numbers).toEqual(upTo(6));
    expect(share.dropped).toBe(0);
  });

  test("holds no shared iteration back: other VUs run them, and no VU rests once they are gone", async () => {
    const share = restingShare((vu) => (vu === 0 ? 2000 : 0));
    const planned = { ...scenario, executor: "shared-iterations", vus: 2, iterations: 6 } as const;
    expect(
      await endOf(sharedIterations.run({ ...planned, maxDurationMs: 60_000 }, share), share, 60_000),
    ).toBe(500);
    expect(share.numbers).toEqual(upTo(6));
    expect(share.ran.filter(({ vu }) => vu === 0)).toHaveLength(1);
  });

  test("leaves a ramp when the ramp says", async () => {
    const share = restingShare(() => 5000);
    const stages = [
      { durationMs: 0, target: 1 },
      { durationMs: 1000, target: 1 },
      { durationMs: 0, target: 0 },
      { durationMs: 4000, target: 0 },
    ];
    share.clock.at(5000, () => {
      share.end();
    });
    let leftMs = Number.NaN;
    share.onRetired = () => (leftMs = share.clock.now());
    const planned = { ...scenario, executor: "ramping-vus", startVUs: 0, stages } as const;
    await endOf(rampingVus.run({ ...planned, gracefulRampDownMs: 30_000 }, share), share, 40_000);
    expect(leftMs).toBe(1000);
    expect(share.ran).toHaveLength(1);
  });

  test("stops at once with the run", async () => {
    const share = restingShare(() => 5000);
    const ended = constantVus.run(
      { ...scenario, executor: "constant-vus", vus: 3, durationMs: 60_000 },
      share,
    );
    share.clock.at(700, () => {
      share.stop();
    });
    expect(await endOf(ended, share, 60_000)).toBe(700);
  });
});
