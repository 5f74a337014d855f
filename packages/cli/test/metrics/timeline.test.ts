import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { SeriesDelta } from "../../src/metrics/snapshot.ts";
import { Timeline } from "../../src/metrics/timeline.ts";
import { Trend } from "../../src/metrics/trend.ts";

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

describe("the timeline", () => {
  test("puts samples into the second they fell into, with empty seconds between", () => {
    const timeline = new Timeline();
    timeline.add(0, [delta(3, 1, 10)]);
    timeline.add(2, [delta(5, 0, 20), delta(7, 2, 30)]);
    timeline.add(0, [delta(1, 0, 40)]);
    expect(timeline.widthMs).toBe(1000);
    expect(timeline.intervals.map(({ requests }) => requests)).toEqual([4, 0, 12]);
    expect(timeline.intervals.map(({ failedRequests }) => failedRequests)).toEqual([1, 0, 2]);
    expect(timeline.intervals[2]).toMatchObject({ iterations: 4, dropped: 2, bytes: 1000 });
    expect(timeline.intervals[2]?.duration.count).toBe(2);
    expect(timeline.intervals[2]?.responseTime.max).toBe(30_000);
  });

  test("never has more than 600 intervals, and keeps totals and distributions when they widen", () => {
    const seconds = fc.array(fc.record({ second: fc.nat(20_000), requests: fc.nat(50) }), { maxLength: 80 });
    fc.assert(
      fc.property(seconds, (parts) => {
        const timeline = new Timeline();
        for (const { second, requests } of parts) timeline.add(second, [delta(requests, 0, second / 10)]);
        const { intervals, widthMs } = timeline;
        expect(intervals.length).toBeLessThanOrEqual(600);
        const sum = intervals.reduce((all, { requests }) => all + requests, 0);
        expect(sum).toBe(parts.reduce((all, { requests }) => all + requests, 0));
        expect(intervals.reduce((all, { duration }) => all + duration.count, 0)).toBe(parts.length);
        for (const { second } of parts) {
          const trend = intervals[Math.floor((second * 1000) / widthMs)]!.duration;
          expect(trend.min).toBeLessThanOrEqual(second * 100);
          expect(trend.max).toBeGreaterThanOrEqual(second * 100);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("adds up every count of the seconds that it puts together", () => {
    const timeline = new Timeline();
    for (const second of [0, 1, 600]) timeline.add(second, [delta(3, 2, 1 + second)]);
    expect(timeline.intervals[0]).toMatchObject({
      ...{ requests: 6, failedRequests: 4, iterations: 4, dropped: 2, bytes: 1000 },
      duration: { count: 2, max: 2000 },
      responseTime: { count: 2, max: 2000 },
    });
  });

  test("takes seconds in which no request was made", () => {
    const timeline = new Timeline();
    const iterations = { type: "counter", total: 4, samples: 4 } as const;
    timeline.add(0, [{ id: 0, tags: null, metrics: { iterations } }]);
    expect(timeline.intervals[0]).toMatchObject({ iterations: 4, requests: 0, failedRequests: 0, bytes: 0 });
    expect(timeline.intervals[0]?.duration.count).toBe(0);
  });

  test("widens by doubling, just when there is no room", () => {
    const timeline = new Timeline();
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
