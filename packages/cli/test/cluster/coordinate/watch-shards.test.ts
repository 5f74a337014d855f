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
  readonly log: string[];
  readonly missing: string[];
  /** Adds an agent's part of one second. */
  readonly add: (shard: number, second: number) => void;
  readonly showUntil: (second: number) => Promise<IntervalSnapshot | undefined>;
}

/** Starts to watch a run with two agents. */
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
  const [shown, started, log, missing]: [IntervalSnapshot[], RunDescription[], string[], string[]] = [
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
      onWarning: (text) => log.push(text),
    },
    missing: () => missing,
    onAbort: (reason) => log.push(`aborts: ${reason}`),
  });
  for (const index of knows)
    watch.begin(index, `web-${index + 1}`, partOf({ index, count: agents, changes: { thresholds } }).run);
  watch.start(clock.date().getTime() + 1000);
  return {
    clock,
    watch,
    shown,
    started,
    log,
    missing,
    add: (shard, second) => {
      watch.add(shard, momentOf(shard, second));
    },
    showUntil: async (second) => {
      await clock.runTo(6000 + (second + 2) * 1000);
      return shown.at(-1);
    },
  };
}

/** Returns one second of an agent with 20 requests and 3 virtual users. */
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
  test("is reported once a second, as one run", async () => {
    const { add, showUntil, started, shown } = watchRun();
    expect(started).toMatchObject([{ test: { name: "front page" }, plan: { workers: 2 } }]);
    for (const shard of [0, 1]) add(shard, 0);
    await showUntil(0);
    for (const shard of [0, 1]) add(shard, 1);
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

  test("goes on while an agent is silent, names it, and includes it again when it returns", async () => {
    const { add, showUntil, missing } = watchRun();
    for (const shard of [0, 1]) add(shard, 0);
    missing.push("web-2");
    add(0, 1);
    const alone = await showUntil(1);
    expect(alone).toMatchObject({ requestRate: 20, requests: 60, vus: 6, missingAgents: ["web-2"] });
    missing.pop();
    add(1, 1);
    for (const shard of [0, 1]) add(shard, 2);
    expect(await showUntil(2)).toMatchObject({ requestRate: 40, requests: 120, vus: 6 });
  });

  test("counts samples that arrive before every agent has described its run", async () => {
    const { add, watch, showUntil, started } = watchRun({ knows: [0] });
    add(0, 0);
    add(1, 0);
    expect(started).toEqual([]);
    watch.begin(1, "web-2", partOf({ index: 1, count: agents }).run);
    expect(await showUntil(0)).toMatchObject({ requests: 40 });
  });

  test("waits only a few seconds for an agent that never describes its run", async () => {
    const { add, showUntil } = watchRun({ knows: [0] });
    add(0, 0);
    expect(await showUntil(5)).toBeUndefined();
    expect(await showUntil(10)).toMatchObject({ requests: 20, atMs: 11_000 });
  });

  test.each([null, 1000])(
    "is aborted once by a threshold on the merged samples (window: %s ms)",
    async (windowMs) => {
      const { add, showUntil, log } = watchRun({ thresholds: abortingOn("count<30", windowMs) });
      add(0, 0);
      await showUntil(0);
      expect(log).toEqual([]);
      add(1, 0);
      for (const shard of [0, 1]) add(shard, 1);
      await showUntil(3);
      expect(log).toEqual([
        "threshold http_req_duration: count<30 failed and ends the run early",
        "aborts: http_req_duration: count<30",
      ]);
    },
  );

  test("delivers every sample to sinks once, including those after the last reported second", async () => {
    const { add, watch, showUntil, shown } = watchRun({ wantsSeries: true });
    for (const shard of [0, 1]) add(shard, 0);
    await showUntil(0);
    for (const shard of [0, 1]) add(shard, 1);
    watch.end(0);
    watch.end(1);
    await showUntil(5);
    const sums = shown.map(({ series = [] }) =>
      series.flatMap((one) => (one.metric === "http_reqs" && one.type === "counter" ? [one.sum] : [])),
    );
    expect(sums).toEqual([[40], [40]]);
  });
});
