import { describe, expect, test } from "vitest";

import { BackOff } from "../../src/worker/back-off.ts";
import { openSpan, VuTime } from "../../src/worker/vu-time.ts";
import { FakeClock } from "../../../plan/test/pacing/fake-clock.ts";

type Outcome = "failed" | "connected" | "both" | "nothing";

/** Returns how long a VU rests after each of its iterations, which take `tookMs` each. */
async function restsMs(outcomes: readonly Outcome[], tookMs = 0): Promise<number[]> {
  const clock = new FakeClock();
  const backOff = new BackOff(clock, new VuTime(openSpan()));
  const rests: number[] = [];
  for (const outcome of outcomes) {
    backOff.startIteration(clock.now());
    if (outcome === "failed" || outcome === "both") backOff.failed();
    if (outcome === "connected" || outcome === "both") backOff.connected();
    clock.jump(tookMs);
    const endedMs = clock.now();
    const rest = backOff.rest();
    if (rest === null) rests.push(0);
    else {
      const rested = rest.then(() => clock.now() - endedMs);
      await clock.runTo(endedMs + 5000);
      rests.push(await rested);
    }
  }
  return rests;
}

const failures = (count: number): Outcome[] => Array.from({ length: count }, () => "failed" as const);

describe("iterations in which no connection opened", () => {
  test("are followed by a rest after the second in a row, which grows from 100 ms to 2 s", async () => {
    const expected = Array.from({ length: 25 }, (_, index) => Math.min(index * 100, 2000));
    expect(await restsMs(failures(25))).toEqual(expected);
  });

  test("are forgotten after an iteration that opened a connection, even if another of its connections failed", async () => {
    expect(await restsMs([...failures(3), "connected", ...failures(2)])).toEqual([0, 100, 200, 0, 0, 100]);
    expect(await restsMs([...failures(3), "both", ...failures(2)])).toEqual([0, 100, 200, 0, 0, 100]);
    expect(await restsMs(["both", "both", "both", "both"])).toEqual([0, 0, 0, 0]);
  });

  test("are not forgotten after an iteration without requests, which itself is not followed by a rest", async () => {
    expect(await restsMs([...failures(3), "nothing", "failed"])).toEqual([0, 100, 200, 0, 300]);
  });

  test("count their own duration as rest: slow failures are not a busy loop", async () => {
    expect(await restsMs(failures(5), 150)).toEqual([0, 0, 50, 150, 250]);
    expect(await restsMs(failures(30), 3000)).toEqual(Array.from({ length: 30 }, () => 0));
  });
});
