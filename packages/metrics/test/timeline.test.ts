import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { SeriesDelta } from "../src/snapshot.ts";
import { Timeline } from "../src/timeline.ts";
import { Trend } from "../src/trend.ts";

function delta(requests: number, failed: number, durationMs: number): SeriesDelta {
  const duration = new Trend(3);
  duration.add(durationMs);
  return {
    id: 0,
    tags: null,
    metrics: {
      http_reqs: { type: "counter", total: requests, samples: requests },
      http_req_failed: { type: "rate", trues: failed, samples: requests },
      iterations: { type: "counter", total: 2, samples: 2 },
      dropped_iterations: { type: "counter", total: 1, samples: 1 },
      data_received: { type: "counter", total: 500, samples: requests },
      http_req_duration: duration.toDelta(),
      http_req_response_time: duration.toDelta(),
    },
  };
}

const fields = {
  counts: {
    requests: { metric: "http_reqs", of: "sum" },
    failed: { metric: "http_req_failed", of: "trues" },
    iterations: { metric: "iterations", of: "sum" },
    dropped: { metric: "dropped_iterations", of: "sum" },
    bytes: { metric: "data_received", of: "sum" },
    vus: { metric: "vus", of: "last" },
  },
  spreads: {
    duration: { metric: "http_req_duration", precision: 2 },
    responseTime: { metric: "http_req_response_time", precision: 3 },
  },
} as const;

describe("the timeline", () => {
  test("puts samples into the second in which they fell, with empty seconds between", () => {
    const timeline = new Timeline(fields);
    timeline.add(0, [delta(3, 1, 10)]);
    timeline.add(2, [delta(5, 0, 20), delta(7, 2, 30)]);
    timeline.add(0, [delta(1, 0, 40)]);
    expect(timeline.widthMs).toBe(1000);
    expect(timeline.intervals.map(({ counts }) => counts.requests)).toEqual([4, 0, 12]);
    expect(timeline.intervals.map(({ counts }) => counts.failed)).toEqual([1, 0, 2]);
    expect(timeline.intervals[2]?.counts).toMatchObject({ iterations: 4, dropped: 2, bytes: 1000 });
    expect(timeline.intervals[2]?.spreads.duration.count).toBe(2);
    expect(timeline.intervals[2]?.spreads.responseTime.max).toBe(30_000);
  });

  test("never has more than 600 intervals, and keeps totals and distributions when they widen", () => {
    const seconds = fc.array(fc.record({ second: fc.nat(20_000), requests: fc.nat(50) }), { maxLength: 80 });
    fc.assert(
      fc.property(seconds, (parts) => {
        const timeline = new Timeline(fields);
        for (const { second, requests } of parts) timeline.add(second, [delta(requests, 0, second / 10)]);
        const { intervals, widthMs } = timeline;
        expect(intervals.length).toBeLessThanOrEqual(600);
        const sum = intervals.reduce((all, { counts }) => all + counts.requests, 0);
        expect(sum).toBe(parts.reduce((all, { requests }) => all + requests, 0));
        expect(intervals.reduce((all, { spreads }) => all + spreads.duration.count, 0)).toBe(parts.length);
        for (const { second } of parts) {
          const trend = intervals[Math.floor((second * 1000) / widthMs)]!.spreads.duration;
          expect(trend.min).toBeLessThanOrEqual(second * 100);
          expect(trend.max).toBeGreaterThanOrEqual(second * 100);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("adds up every count of the seconds that it merges", () => {
    const timeline = new Timeline(fields);
    for (const second of [0, 1, 600]) timeline.add(second, [delta(3, 2, 1 + second)]);
    expect(timeline.intervals[0]).toMatchObject({
      counts: { requests: 6, failed: 4, iterations: 4, dropped: 2, bytes: 1000 },
      spreads: { duration: { count: 2, max: 2000 }, responseTime: { count: 2, max: 2000 } },
    });
  });

  test("accepts seconds without requests", () => {
    const timeline = new Timeline(fields);
    const iterations = { type: "counter", total: 4, samples: 4 } as const;
    timeline.add(0, [{ id: 0, tags: null, metrics: { iterations } }]);
    expect(timeline.intervals[0]?.counts).toMatchObject({ iterations: 4, requests: 0, failed: 0, bytes: 0 });
    expect(timeline.intervals[0]?.spreads.duration.count).toBe(0);
  });

  test("keeps a gauge's last value when it merges seconds", () => {
    const timeline = new Timeline(fields);
    const gauge = (value: number): SeriesDelta => {
      const vus = { type: "gauge", value, min: value, max: value, sum: value, samples: 1 } as const;
      return { id: 0, tags: null, metrics: { vus } };
    };
    timeline.add(0, [gauge(7)]);
    timeline.add(1, [gauge(4)]);
    timeline.add(600, []);
    expect(timeline.intervals[0]?.counts.vus).toBe(4);
  });

  test("doubles the width of its intervals only when there is no room", () => {
    const timeline = new Timeline(fields);
    timeline.add(599, [delta(1, 0, 1)]);
    expect(timeline.widthMs).toBe(1000);
    expect(timeline.intervals).toHaveLength(600);
    timeline.add(600, [delta(1, 0, 1)]);
    expect(timeline.widthMs).toBe(2000);
    expect(timeline.intervals).toHaveLength(301);
    timeline.add(1200, []);
    expect(timeline.widthMs).toBe(4000);
  });
});
