import { describe, expect, test } from "vitest";

import { diagnoseStalls, StallWatch } from "../../src/health/stalls.ts";

describe("a stall of the whole process", () => {
  test("is a beat that came a second late, and begins at the beat before it", () => {
    const watch = new StallWatch(50, 1000, 0);
    expect(watch.beat(1050, 10)).toBeNull();
    expect(watch.beat(2500, 20)).toEqual({ fromMs: 1050, durationMs: 1400 });
    expect(watch.beat(2550, 30)).toBeNull();
    expect(watch.stalls).toEqual([{ fromMs: 1050, durationMs: 1400 }]);
  });

  test("is not counted below a second", () => {
    expect(new StallWatch(50, 0, 0).beat(1049, 0)).toBeNull();
    expect(new StallWatch(50, 0, 0).beat(1050, 0)).not.toBeNull();
  });

  test("is not counted if the process was busy meanwhile: then only its own timers waited", () => {
    const watch = new StallWatch(50, 0, 0);
    expect(watch.beat(2050, 1900)).toBeNull();
    expect(watch.beat(4100, 1950)).not.toBeNull();
  });

  test("is remembered only a hundred times", () => {
    const watch = new StallWatch(50, 0, 0);
    for (let second = 1; second <= 150; second++) watch.beat(second * 2000, 0);
    expect(watch.stalls).toHaveLength(100);
  });
});

describe("stalls are judged", () => {
  test("as a strain, with their length and time, and as saturation from a twentieth of the run", () => {
    const stalls = [{ atMs: 12_340, durationMs: 1400 }];
    expect(diagnoseStalls(stalls, 60_000)).toEqual([
      {
        severity: "strained",
        reason:
          "the whole process paused for 1.4 s at 12.3 s (suspended, or starved of CPU): measurements from then say nothing about the target",
      },
    ]);
    expect(diagnoseStalls(stalls, 28_000)).toMatchObject([{ severity: "saturated" }]);
  });

  test("in one sentence, beyond the first three", () => {
    const stalls = Array.from({ length: 5 }, (_, index) => ({ atMs: index * 5000, durationMs: 1500 }));
    const reasons = diagnoseStalls(stalls, 1e6).map(({ reason }) => reason);
    expect(reasons).toHaveLength(4);
    expect(reasons[3]).toContain("2 more times, 3.0 s in all");
  });

  test("as nothing if there are none", () => {
    expect(diagnoseStalls([], 0)).toEqual([]);
  });
});
