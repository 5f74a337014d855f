import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import type { ScenarioOf } from "../../src/executors/validated-scenario.ts";
import { rampingVus, vuRamp } from "../../src/executors/ramping-vus.ts";
import { FakeClock } from "../pacing/fake-clock.ts";
import { FakeShare, upTo } from "./fake-share.ts";

const scenario = {
  executor: "ramping-vus",
  name: "ramp",
  startTimeMs: 0,
  gracefulStopMs: 30_000,
  expectsNoRequests: false,
  tags: {},
  env: {},
  http: defaultHttp,
  startVUs: 0,
  stages: [{ durationMs: 1000, target: 4 }],
  gracefulRampDownMs: 30_000,
} as const satisfies ScenarioOf<"ramping-vus">;

const jump = (target: number, holdsMs: number) => [
  { durationMs: 0, target },
  { durationMs: holdsMs, target },
];

/** Runs a ramp to its end as a scenario's run does: iterations that run at the end may finish. */
async function run(changes: Partial<ScenarioOf<"ramping-vus">>, share: FakeShare): Promise<void> {
  const planned = { ...scenario, ...changes };
  const ended = rampingVus.run(planned, share);
  const lastsMs = planned.stages.reduce((sum, { durationMs }) => sum + durationMs, 0);
  await share.clock.runTo(share.startMs + lastsMs, 0);
  share.end();
  await share.clock.runTo(share.startMs + lastsMs + 120_000, 0);
  await ended;
}

describe("a ramp of virtual users", () => {
  test("starts each VU when the ramp says, and lets it iterate from then on", async () => {
    const share = new FakeShare(new FakeClock(5000), { iterationMs: () => 100 });
    await run({ stages: [{ durationMs: 1000, target: 4 }] }, share);
    const first = upTo(4).map((vu) => share.ran.find((ran) => ran.vu === vu)?.atMs);
    expect(first.slice(0, 3)).toEqual([5250, 5500, 5750]);
    expect(share.ran.filter(({ vu }) => vu === 0).map(({ atMs }) => atMs)).toEqual(
      upTo(8).map((n) => 5250 + 100 * n),
    );
    expect(share.ran.every(({ intendedMs, offeredMs }) => intendedMs === null && offeredMs === null)).toBe(
      true,
    );
  });

  test("lets a VU that leaves end its iteration, and start no other", async () => {
    const share = new FakeShare(new FakeClock(), { iterationMs: () => 700 });
    const stages = [{ durationMs: 1000, target: 1 }, ...jump(0, 2000)];
    const ended = rampingVus.run({ ...scenario, startVUs: 1, stages }, share);
    await share.clock.runTo(1500, 0);
    // The timer for the end of gracefulRampDown was cancelled: nothing is left to wait for.
    expect(share.clock.armed).toBe(0);
    await ended;
    expect(share.ran.map(({ atMs }) => atMs)).toEqual([0, 700]);
    expect(share.retired).toEqual([0]);
  });

  test("reuses a VU that is still finishing when the ramp goes up again within gracefulRampDown", async () => {
    const share = new FakeShare(new FakeClock(), { iterationMs: () => 410 });
    const stages = [{ durationMs: 500, target: 1 }, ...jump(0, 200), ...jump(1, 500)];
    await run({ startVUs: 1, stages, gracefulRampDownMs: 350 }, share);
    // The VU is to leave at 500, is back at 700, and its iteration ends at 820.
    expect(share.vus).toEqual([0]);
    expect(share.ran.map(({ atMs }) => atMs)).toEqual([0, 410, 820]);
  });

  test("interrupts a VU at the end of gracefulRampDown, unless it came back before", async () => {
    const interrupted = new FakeShare(new FakeClock(), { iterationMs: () => 5000 });
    const away = [{ durationMs: 500, target: 1 }, ...jump(0, 1000)];
    const ended: number[] = [];
    interrupted.onRetired = () => ended.push(interrupted.clock.now());
    await run({ startVUs: 1, stages: away, gracefulRampDownMs: 300 }, interrupted);
    expect(ended).toEqual([800]);

    const back = new FakeShare(new FakeClock(), { iterationMs: () => 5000 });
    const again = [{ durationMs: 500, target: 1 }, ...jump(0, 299), ...jump(1, 1000)];
    back.onRetired = () => ended.push(back.clock.now());
    await run({ startVUs: 1, stages: again, gracefulRampDownMs: 300 }, back);
    expect(ended).toEqual([800, 5000]);
    expect(back.ran).toHaveLength(1);
  });

  test("creates a new VU with the same number after the old one has left", async () => {
    const share = new FakeShare(new FakeClock(), { iterationMs: () => 5000 });
    const stages = [{ durationMs: 500, target: 1 }, ...jump(0, 1000), ...jump(1, 500)];
    await run({ startVUs: 1, stages, gracefulRampDownMs: 300 }, share);
    expect(share.vus).toEqual([0, 0]);
    expect(share.ran.map(({ atMs }) => atMs)).toEqual([0, 1500]);
    expect(share.retired).toEqual([0, 0]);
  });

  test("waits for an interrupted iteration to end before a new VU takes its place", async () => {
    const share = new FakeShare(new FakeClock(), { iterationMs: () => 5000, interruptedAfterMs: 250 });
    const stages = [{ durationMs: 500, target: 1 }, ...jump(0, 200), ...jump(1, 500)];
    await run({ startVUs: 1, stages, gracefulRampDownMs: 100 }, share);
    // The iteration is interrupted at 600 and ends at 850. The ramp needs the VU again at 700.
    expect(share.vus).toEqual([0, 0]);
    expect(share.ran.map(({ atMs }) => atMs)).toEqual([0, 850]);
    expect(share.mostRunning).toBe(1);
  });

  test("interrupts at once if gracefulRampDown is 0", async () => {
    const share = new FakeShare(new FakeClock(), { iterationMs: () => 5000 });
    const times: number[] = [];
    share.onRetired = () => times.push(share.clock.now());
    await run({ startVUs: 3, stages: [{ durationMs: 300, target: 0 }], gracefulRampDownMs: 0 }, share);
    expect(times).toEqual([100, 200, 300]);
    expect(share.retired).toEqual([2, 1, 0]);
  });

  test("can be stopped in the middle: no VU joins any more, and running iterations may end", async () => {
    const share = new FakeShare(new FakeClock(), { iterationMs: () => 400 });
    let hasEnded = false;
    const ended = rampingVus
      .run({ ...scenario, stages: [{ durationMs: 1000, target: 10 }] }, share)
      .then(() => {
        hasEnded = true;
      });
    await share.clock.runTo(550, 0);
    share.stop();
    await share.clock.runTo(600, 0);
    expect(hasEnded).toBe(false);
    await share.clock.runTo(960, 0);
    expect(share.clock.armed).toBe(0);
    await ended;
    expect(share.vus).toEqual(upTo(5));
    expect(share.ran.every(({ atMs }) => atMs <= 550)).toBe(true);
    expect(share.running).toBe(0);
    expect(share.clock.armed).toBe(0);
  });

  test("does not wait for VUs that were to leave after the scenario's time was over", async () => {
    const share = new FakeShare(new FakeClock(), { iterationMs: () => 100 });
    const ended = rampingVus.run(
      { ...scenario, startVUs: 1, stages: [{ durationMs: 1000, target: 0 }] },
      share,
    );
    await share.clock.runTo(850, 0);
    share.end();
    await share.clock.runTo(1000, 0);
    await ended;
    expect(share.clock.armed).toBe(0);
  });

  test("runs no iteration if it is stopped before it begins", async () => {
    const share = new FakeShare(new FakeClock());
    share.stop();
    await rampingVus.run({ ...scenario, startVUs: 3 }, share);
    expect(share.ran).toEqual([]);
  });

  test("catches up after a late wake: all VUs that were to join by then are there", async () => {
    const share = new FakeShare(new FakeClock(), { iterationMs: () => 10_000 });
    const ended = rampingVus.run({ ...scenario, stages: [{ durationMs: 1000, target: 10 }] }, share);
    await share.clock.runTo(150, 0);
    share.clock.jump(400);
    await share.clock.runTo(550, 0);
    expect(share.vus).toEqual(upTo(5));
    await share.clock.runTo(1000, 0);
    expect(share.vus).toEqual(upTo(10));
    share.end();
    await share.clock.runTo(30_000, 0);
    await ended;
  });

  test("runs every VU that it needs exactly once at any time, for any number of workers", async () => {
    const someStages = fc.array(
      fc.record({ durationMs: fc.integer({ min: 0, max: 900 }), target: fc.integer({ min: 0, max: 12 }) }),
      { minLength: 1, maxLength: 4 },
    );
    const counts = fc.integer({ min: 1, max: 5 });
    await fc.assert(
      fc.asyncProperty(fc.nat(8), someStages, counts, async (startVUs, stages, count) => {
        const clock = new FakeClock();
        // Iterations take 10 ms, so an active VU has begun one within the last 10 ms.
        const shares = upTo(count).map(
          (index) => new FakeShare(clock, { stripe: { index, count }, iterationMs: () => 10 }),
        );
        const ended = shares.map((share) => rampingVus.run({ ...scenario, startVUs, stages }, share));
        const lastsMs = stages.reduce((sum, { durationMs }) => sum + durationMs, 0);
        await clock.runTo(lastsMs, 0);
        for (const share of shares) share.end();
        await clock.runTo(lastsMs + 1000, 0);
        await Promise.all(ended);
        const ran = shares.flatMap((share) => share.ran);
        for (const atMs of [0.3, 0.55, 0.8].map((part) => Math.floor(part * lastsMs) + 0.5)) {
          const wanted = new Set<number>();
          for (const { vu, joins, atMs: stepMs } of vuRamp(startVUs, stages)) {
            if (stepMs > atMs) break;
            if (joins) wanted.add(vu);
            else wanted.delete(vu);
          }
          const busy = ran.filter((one) => one.atMs <= atMs && one.atMs + 10 > atMs).map(({ vu }) => vu);
          expect(new Set(busy).size).toBe(busy.length);
          // A VU that has just left may still be finishing its iteration.
          expect(busy).toEqual(expect.arrayContaining([...wanted]));
        }
        for (const { stripe, numbers } of shares)
          expect(numbers).toEqual(upTo(numbers.length).map((n) => stripe.index + n * count));
        for (const share of shares)
          expect(share.vus.every((vu) => vu % count === share.stripe.index)).toBe(true);
      }),
      { numRuns: 12 },
    );
  });
});
