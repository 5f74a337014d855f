import type { MonitorReport } from "@bearhug/plan/monitors/monitor";
import { type ReadSource, UnreadableSource } from "@bearhug/plan/monitors/reader";
import { describe, expect, it } from "vitest";

import { MonitorSampler } from "../../src/monitors/sample-monitor.ts";
import { FakeClock } from "../../../plan/test/pacing/fake-clock.ts";

interface Told {
  readonly clock: FakeClock;
  readonly reports: MonitorReport[];
  readonly missing: string[];
}

/** A sampler of a load that began 100 ms after now. */
function begin(read: ReadSource, clock = new FakeClock()): Told {
  const told: Told = { clock, reports: [], missing: [] };
  const sampler = new MonitorSampler("server", read, clock, {
    onReport: (report) => told.reports.push(report),
    onMissing: (monitor, family) => told.missing.push(`${monitor} ${family}`),
  });
  sampler.begin(100);
  return told;
}

/** A counter that grows by 30 a second, and a level. */
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
  it("tells of each second late in it, with rates from the first on", async () => {
    const clock = new FakeClock();
    const { reports } = begin(counting(clock), clock);
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

  it("tells once which chosen family it lacks", async () => {
    const clock = new FakeClock();
    const { missing } = begin(counting(clock), clock);
    await clock.runTo(3100);
    expect(missing).toEqual(["server absent"]);
  });

  it("has gaps while it cannot be read, and goes on after them", async () => {
    const clock = new FakeClock();
    const count = counting(clock);
    const { reports } = begin((signal) => {
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
    const { reports } = begin(
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
});
