import type { CollectorInput, RecordedMoment, RecordedRun } from "@bearhug/engine/outcome/run-record";
import type { IntervalSnapshot, RunDescription } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { ShardsWatch } from "../../../src/cluster/coordinate/watch-shards.ts";
import { inputOf, partOf, stateOf } from "../../../../engine/test/outcome/merge/parts.ts";
import { FakeClock } from "../../../../plan/test/pacing/fake-clock.ts";
import { thresholdOf } from "../../../../metrics/test/thresholds/threshold-of.ts";

const agents = 2;

interface Watched {
  readonly clock: FakeClock;
  readonly watch: ShardsWatch;
  readonly shown: IntervalSnapshot[];
  readonly started: RunDescription[];
  readonly told: string[];
  readonly missing: string[];
  /** Lets the run come to the end of a second, with this agent's part of it. */
  readonly tell: (shard: number, second: number) => void;
  readonly showUntil: (second: number) => Promise<IntervalSnapshot | undefined>;
}

/** A run with two agents that has started. */
function watchRun({
  thresholds = [],
  wantsSeries = false,
  knows = [0, 1],
}: {
  thresholds?: RecordedRun["thresholds"];
  wantsSeries?: boolean;
  knows?: readonly number[];
} = {}): Watched {
  const clock = new FakeClock(5000);
  const [shown, started, told, missing]: [IntervalSnapshot[], RunDescription[], string[], string[]] = [
    [],
    [],
    [],
    [],
  ];
  const watch = new ShardsWatch({
    clock,
    agents,
    allowsPartial: false,
    observer: {
      wantsSeries,
      onStart: (run) => started.push(run),
      onProgress: (snapshot) => shown.push(snapshot),
      onFinalSeries: (rest) => shown.push(rest),
      onLog: () => undefined,
      onWarning: (text) => told.push(text),
    },
    missing: () => missing,
    onAbort: (reason) => told.push(`aborts: ${reason}`),
  });
  for (const index of knows)
    watch.begin(index, `web-${index + 1}`, partOf({ index, count: agents, changes: { thresholds } }).run);
  watch.start(clock.date().getTime() + 1000);
  return {
    clock,
    watch,
    shown,
    started,
    told,
    missing,
    tell: (shard, second) => {
      watch.add(shard, momentOf(shard, second));
    },
    showUntil: async (second) => {
      await clock.runTo(6000 + (second + 2) * 1000);
      return shown.at(-1);
    },
  };
}

/** One second of an agent with 20 requests and 3 virtual users. */
function momentOf(shard: number, second: number): RecordedMoment {
  const gauges: CollectorInput = {
    kind: "gauges",
    second,
    gauges: { vus: 3, vusMade: 3, connectionsOpen: 3 },
  };
  const ended = 20 * (second + 1);
  const row = { name: "GET /", started: ended, sent: ended, succeeded: ended };
  const none = { failed: 0, interrupted: 0, lost: 0 };
  const { accounting } = stateOf(1);
  return {
    inputs: [gauges, inputOf(0, second, shard)],
    places: [],
    state: stateOf(1, {
      isLoadOver: false,
      workers: [{ id: 0, lost: null, isRunning: true }],
      accounting: {
        ...accounting,
        iterations: { ...accounting.iterations, completed: ended },
        requests: [{ ...row, ...none }],
      },
    }),
    progress: {
      receivedBytes: 100 * (second + 1),
      scenarios: [{ vus: 3, ended, interrupted: 0, dropped: second }],
      warmup: [],
    },
    isEnd: false,
  };
}

function abortingOn(expression: string, windowMs: number | null = null): RecordedRun["thresholds"] {
  const threshold = thresholdOf("http_req_duration", expression, { abortOnFail: true, windowMs });
  return [{ threshold, source: null }];
}

describe("a run with agents", () => {
  test("is shown once a second, as one run", async () => {
    const { tell, showUntil, started, shown } = watchRun();
    expect(started).toMatchObject([{ test: { name: "front page" }, plan: { workers: 2 } }]);
    for (const shard of [0, 1]) tell(shard, 0);
    await showUntil(0);
    for (const shard of [0, 1]) tell(shard, 1);
    await showUntil(1);
    expect(shown).toMatchObject([
      {
        atMs: 1000,
        plannedMs: 60_000,
        vus: 6,
        requestRate: 40,
        requests: 40,
        iterations: 40,
        receivedBytes: 200,
      },
      { atMs: 2000, vus: 6, requestRate: 40, requests: 80, iterations: 80, receivedBytes: 400 },
    ]);
    expect(shown[1]?.scenarios).toMatchObject([
      { name: "readers", vus: 6, iterations: 80, iterationRate: 40, dropped: 2, leftMs: 58_000 },
    ]);
    expect(shown[1]).not.toHaveProperty("missingAgents");
  });

  test("goes on while an agent is silent, which is named, and takes it back", async () => {
    const { tell, showUntil, missing } = watchRun();
    for (const shard of [0, 1]) tell(shard, 0);
    missing.push("web-2");
    tell(0, 1);
    const alone = await showUntil(1);
    expect(alone).toMatchObject({ requestRate: 20, requests: 60, vus: 6, missingAgents: ["web-2"] });
    missing.pop();
    tell(1, 1);
    for (const shard of [0, 1]) tell(shard, 2);
    expect(await showUntil(2)).toMatchObject({ requestRate: 40, requests: 120, vus: 6 });
  });

  test("counts what agents told before the start", async () => {
    const { tell, watch, showUntil, started } = watchRun({ knows: [0] });
    tell(0, 0);
    tell(1, 0);
    expect(started).toEqual([]);
    watch.begin(1, "web-2", partOf({ index: 1, count: agents }).run);
    expect(await showUntil(0)).toMatchObject({ requests: 40 });
  });

  test("waits for an agent that never described its run, but not long", async () => {
    const { tell, showUntil } = watchRun({ knows: [0] });
    tell(0, 0);
    expect(await showUntil(5)).toBeUndefined();
    expect(await showUntil(10)).toMatchObject({ requests: 20, atMs: 11_000 });
  });

  test.each([null, 1000])(
    "is cut off by a threshold of the merged samples, once (window: %s ms)",
    async (windowMs) => {
      const { tell, showUntil, told } = watchRun({ thresholds: abortingOn("count<30", windowMs) });
      tell(0, 0);
      await showUntil(0);
      expect(told).toEqual([]);
      tell(1, 0);
      for (const shard of [0, 1]) tell(shard, 1);
      await showUntil(3);
      expect(told).toEqual([
        "threshold http_req_duration: count<30 failed and ends the run early",
        "aborts: threshold http_req_duration: count<30",
      ]);
    },
  );

  test("tells sinks every sample once, those after the last second too", async () => {
    const { tell, watch, showUntil, shown } = watchRun({ wantsSeries: true });
    for (const shard of [0, 1]) tell(shard, 0);
    await showUntil(0);
    for (const shard of [0, 1]) tell(shard, 1);
    watch.end(0);
    watch.end(1);
    await showUntil(5);
    const sums = shown.map(({ series = [] }) =>
      series.flatMap((one) => (one.metric === "http_reqs" && one.type === "counter" ? [one.sum] : [])),
    );
    expect(sums).toEqual([[40], [40]]);
  });
});
