import type { MonitorReport } from "@bearhug/plan/monitors/monitor";
import { type ReadSource, UnreadableSource } from "@bearhug/plan/monitors/reader";
import { describe, expect, it } from "vitest";

import { MonitorSampler } from "../../src/monitors/sample-monitor.ts";
import { FakeClock } from "../../../plan/test/pacing/fake-clock.ts";

interface Sampling {
  readonly clock: FakeClock;
  readonly reports: MonitorReport[];
  readonly missing: string[];
}

/** Starts a sampler for a load that begins 100 ms from now. */
function startSampler(read: ReadSource, clock = new FakeClock()): Sampling {
  const sampling: Sampling = { clock, reports: [], missing: [] };
  const sampler = new MonitorSampler("server", read, clock, {
    onReport: (report) => sampling.reports.push(report),
    onMissing: (monitor, family) => sampling.missing.push(`${monitor} ${family}`),
  });
  sampler.begin(100);
  return sampling;
}

/** Returns a source with a counter that grows by 30 a second, and a level. */
function counting(clock: FakeClock): ReadSource {
  return () =>
    Promise.resolve({
      quantities: [
        {
          kind: "counter",
          gauge: "requests",
          unit: "/s",
          series: "",
          value: clock.now() * 0.03,
          countedAtMs: null,
        },
        { kind: "level", gauge: "depth", unit: null, value: clock.now() },
      ],
      atMs: clock.now(),
      missing: ["absent"],
    });
}

describe("a source that is read once a second", () => {
  it("is reported near the end of each second, with rates from the first second on", async () => {
    const clock = new FakeClock();
    const { reports } = startSampler(counting(clock), clock);
    await clock.runTo(2100);
    expect(reports).toEqual([
      {
        second: 0,
        monitor: "server",
        gap: null,
        readings: {
          depth: { unit: null, value: 1000 },
          requests: { unit: "/s", value: expect.closeTo(30) as number },
        },
      },
      expect.objectContaining({ second: 1, gap: null }),
    ]);
  });

  it("is reported only once as lacking a chosen family", async () => {
    const clock = new FakeClock();
    const { missing } = startSampler(counting(clock), clock);
    await clock.runTo(3100);
    expect(missing).toEqual(["server absent"]);
  });

  it("has gaps while it cannot be read, and goes on after them", async () => {
    const clock = new FakeClock();
    const count = counting(clock);
    const { reports } = startSampler((signal) => {
      if (clock.now() > 1500 && clock.now() < 3500)
        return Promise.reject(new UnreadableSource("it refused the connection"));
      return count(signal);
    }, clock);
    await clock.runTo(4100);
    expect(reports.map(({ second, gap }) => [second, gap])).toEqual([
      [0, null],
      [1, "it refused the connection"],
      [2, "it refused the connection"],
      [3, null],
    ]);
    expect(reports.at(-1)?.readings["requests"]?.value).toBeCloseTo(30);
  });

  it("is not read again before it has answered", async () => {
    const clock = new FakeClock();
    const answers: (() => void)[] = [];
    const { reports } = startSampler(
      (signal) =>
        new Promise((resolve) => {
          answers.push(() => {
            resolve(counting(clock)(signal));
          });
        }),
      clock,
    );
    await clock.runTo(2100);
    expect(answers).toHaveLength(1);
    expect(reports.map(({ second, gap }) => [second, gap])).toEqual([
      [0, "it had not answered yet"],
      [1, "it had not answered yet"],
    ]);
  });

  it("has a gap in each second that had passed before its thread could begin", async () => {
    const clock = new FakeClock();
    await clock.runTo(2150);
    const { reports } = startSampler(counting(clock), clock);
    await clock.runTo(3100);
    expect(reports.map(({ second, gap }) => [second, gap])).toEqual([
      [0, "the load generator was too busy to read it"],
      [1, "the load generator was too busy to read it"],
      [2, null],
    ]);
  });
});
