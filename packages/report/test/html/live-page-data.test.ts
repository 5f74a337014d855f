import { expect, test } from "vitest";

import { LivePageData } from "../../src/html/live-page-data.ts";
import { timed } from "./timed-result.ts";
import { scenarioOf, snapshotOf } from "../snapshot-of.ts";

const run = { test: timed.test, seed: timed.seed, plan: timed.plan };

test("before the load, the page has a title and nothing else", () => {
  const live = new LivePageData("shop.ts");
  expect(live.get()).toMatchObject({ isRunning: true, title: "shop.ts", timeline: null, tables: [] });
  expect(live.get().verdict.word).toBe("starting");
  live.start(run);
  expect(live.get().title).toBe(timed.test.name);
});

test("each second is a point of each chart, with rates of that second", () => {
  const live = new LivePageData("shop.ts");
  for (const second of [1, 2, 3])
    live.add(
      snapshotOf({
        atMs: second * 1000,
        requestRate: 100 * second,
        failedRate: second === 2 ? 0.1 : 0,
        vus: second,
        dropped: second === 3 ? 5 : 0,
        receivedBytes: 1000 * second ** 2,
        p99Ms: second === 1 ? null : 9,
        scenarios: [scenarioOf({ iterationRate: 20 }), scenarioOf({ name: "buy", iterationRate: 3 })],
      }),
    );
  const timeline = live.get().timeline!;
  expect(timeline.seconds).toEqual([1, 2, 3]);
  const values = Object.fromEntries(
    timeline.charts.flatMap(({ lines }) => lines.map(({ label, values: all }) => [label, all])),
  );
  expect(values).toMatchObject({
    requests: [100, 200, 300],
    failed: [0, 20, 0],
    "virtual users": [1, 2, 3],
    ended: [23, 23, 23],
    due: [23, 23, 28],
    dropped: [0, 0, 5],
    received: [1000, 3000, 5000],
    p99: [null, 9, 9],
  });
});

test("the page keeps the last ten minutes, however long the run", () => {
  const live = new LivePageData("shop.ts");
  for (let second = 1; second <= 700; second++) live.add(snapshotOf({ atMs: second * 1000 }));
  const { seconds, charts } = live.get().timeline!;
  expect([seconds.length, seconds[0], seconds.at(-1)]).toEqual([600, 101, 700]);
  for (const { lines } of charts) for (const { values } of lines) expect(values).toHaveLength(600);
});

test("the warm-up is announced, and is not part of the charts", () => {
  const live = new LivePageData("shop.ts");
  live.add(snapshotOf({ atMs: 1000, isWarmup: true, dropped: 7, receivedBytes: 500 }));
  expect(live.get()).toMatchObject({ timeline: null, verdict: { word: "warming up" } });
  live.add(snapshotOf({ atMs: 2000, dropped: 2, receivedBytes: 700 }));
  const lines = live.get().timeline!.charts.flatMap((chart) => chart.lines);
  expect(lines.find(({ label }) => label === "dropped")?.values).toEqual([2]);
  expect(lines.find(({ label }) => label === "received")?.values).toEqual([200]);
});

test("a failing threshold, an error and a strained generator are shown immediately", () => {
  const live = new LivePageData("shop.ts");
  live.add(
    snapshotOf({
      thresholds: [
        {
          metric: "http_req_duration",
          expression: "p(95)<20ms",
          passed: false,
          actual: 21.04,
          unit: "ms",
          isShare: false,
        },
        { metric: "checks", expression: "rate>99%", actual: null, unit: null, passed: null, isShare: true },
      ],
      errors: [{ code: "CONNECTION_REFUSED", count: 12, name: "GET /" }],
      generator: { verdict: "strained", reasons: ["worker 0 was busy"] },
    }),
  );
  const { verdict, tables, figures } = live.get();
  expect(verdict).toMatchObject({ tone: "bad", word: "running" });
  expect(verdict.reasons.map(({ text }) => text)).toEqual([
    "Running for 12 s.",
    "1 of 2 thresholds fails so far.",
    "worker 0 was busy",
  ]);
  const cells = (id: string) =>
    tables.find((table) => table.id === id)?.rows.map((row) => row.cells.map(({ text }) => text));
  expect(cells("thresholds")).toEqual([
    ["failed", "http_req_duration", "p(95)<20ms", "21.0 ms"],
    ["undecided", "checks", "rate>99%", "no samples yet"],
  ]);
  expect(cells("errors")).toEqual([["12", "CONNECTION_REFUSED", "GET /"]]);
  expect(figures.at(-1)).toMatchObject({ text: "strained", tone: "warning" });
});

test("scenarios show their progress, and when they start", () => {
  const live = new LivePageData("shop.ts");
  live.add(
    snapshotOf({
      scenarios: [
        scenarioOf({ plannedRate: 20, iterationRate: 19.5, leftMs: 17_200, progress: 0.4, dropped: 3 }),
        scenarioOf({ name: "later", startsInMs: 4100, progress: 0, iterations: 0, vus: 0, iterationRate: 0 }),
        scenarioOf({ name: "counted", leftMs: null, plannedIterations: 2000, progress: 0.602 }),
      ],
    }),
  );
  const rows = live.get().tables.find(({ id }) => id === "scenarios")!.rows;
  expect(rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
    ["browse", "40 %", "18 s", "20.0/s", "19.5/s", "1204", "3", "50"],
    ["later", "0 %", "starts in 5 s", "", "0/s", "0", "0", "0"],
    ["counted", "60 %", "", "", "13.4/s", "1204", "0", "50"],
  ]);
});
