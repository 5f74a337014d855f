import fc from "fast-check";
import { expect, test } from "vitest";

import { deltaOf } from "../../src/accumulator.ts";
import { SeriesStore } from "../../src/series-store.ts";
import type { SeriesDelta } from "../../src/snapshot.ts";
import { Trend } from "../../src/trend.ts";
import { RunningTotals } from "../../src/thresholds/running-totals.ts";
import { thresholdOf } from "./threshold-of.ts";

const series = [{}, { page: "home" }, { page: "cart", status: "200" }, { page: "cart", status: "500" }];

const thresholds = [
  ...["http_reqs", "http_reqs{page:cart}", "http_reqs{page!:cart}", "http_reqs{page:none}"].map((key) =>
    thresholdOf(key, "count>1"),
  ),
  ...["http_req_duration", "http_req_duration{status~:^[25]}"].map((key) => thresholdOf(key, "p95<10")),
];

const seconds = fc.array(
  fc.array(
    fc.record({ at: fc.nat(series.length - 1), count: fc.integer({ min: 1, max: 9 }), ms: fc.nat(900) }),
  ),
  { maxLength: 8 },
);

test("a threshold's total is what its key selects of all series, whichever second the samples came in", () => {
  fc.assert(
    fc.property(seconds, (recorded) => {
      const store = new SeriesStore();
      const totals = new RunningTotals(thresholds);
      const announced = new Set<number>();
      for (const second of recorded) {
        const deltas = second.map(({ at, count, ms }): SeriesDelta => {
          const duration = new Trend(3);
          duration.add(ms);
          const metrics = {
            http_reqs: { type: "counter", total: count, samples: count },
            http_req_duration: duration.toDelta(),
          } as const;
          const tags = announced.has(at) ? null : (series[at] ?? {});
          announced.add(at);
          return { id: at, tags, metrics };
        });
        store.add(0, deltas);
        totals.add(deltas.map((delta) => ({ tags: store.tagsOf(0, delta), metrics: delta.metrics })));
      }
      for (const threshold of thresholds) {
        const [total, selected] = [totals.of(threshold), store.select(threshold.selector)];
        expect(total && deltaOf(total)).toEqual(selected && deltaOf(selected));
      }
    }),
  );
});

test("a threshold with a window has no total", () => {
  const windowed = thresholdOf("http_reqs", "count>1", { windowMs: 5000 });
  const totals = new RunningTotals([windowed]);
  totals.add([{ tags: {}, metrics: { http_reqs: { type: "counter", total: 1, samples: 1 } } }]);
  expect(totals.of(windowed)).toBeUndefined();
});
