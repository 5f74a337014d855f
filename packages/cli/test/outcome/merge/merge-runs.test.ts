import type { TestResult } from "@bearhug/sdk";
import { parseThreshold, type ValidatedThreshold } from "@bearhug/sdk/internal";
import { describe, expect, test } from "vitest";

import { findContradictions } from "../../../src/outcome/contradictions/find-contradictions.ts";
import { mergeRuns } from "../../../src/outcome/merge/merge-runs.ts";
import { rebuildRun } from "../../../src/outcome/rebuild-run.ts";
import type { CollectorInput, RecordedMoment } from "../../../src/outcome/run-record.ts";
import type { RunState } from "../../../src/outcome/run-state.ts";
import { Trend } from "../../../src/metrics/trend.ts";
import { randomSource } from "../../../src/pacing/random-source.ts";
import { recordedMoment, recordedRun } from "../../recording/recorded.ts";
import { partOf, type PartOptions } from "./parts.ts";

const seconds = 60;
const samplesOfSecond = 20;

const usual = recordedMoment(0);

/** A worker's snapshot of one second of the run, with durations that no other has. */
function inputOf(workerId: number, interval: number, machine: number): CollectorInput {
  const [first] = usual.inputs;
  if (first?.kind !== "snapshot") throw new TypeError("no snapshot");
  const random = randomSource(machine, interval);
  const duration = new Trend(3);
  for (let sample = 0; sample < samplesOfSecond; sample++) duration.add(1 + 2000 * random() ** 4);
  const series = {
    id: 0,
    tags: interval === 0 ? { scenario: "readers", name: "GET /" } : null,
    metrics: {
      iterations: { type: "counter", total: samplesOfSecond, samples: samplesOfSecond },
      http_reqs: { type: "counter", total: samplesOfSecond, samples: samplesOfSecond },
      http_req_failed: { type: "rate", trues: 0, samples: samplesOfSecond },
      http_req_duration: duration.toDelta(),
    },
  } as const;
  const { exemplars: _, ...snapshot } = first.snapshot;
  return { kind: "snapshot", workerId, snapshot: { ...snapshot, interval, series: [series] } };
}

/** The state of a run that so many machines shared, at its end. */
function stateOf(machines: number, changes: Partial<RunState> = {}): RunState {
  const total = seconds * samplesOfSecond * machines;
  const iterations = { failed: 0, interrupted: 0, dropped: 0, lost: 0 };
  const row = { name: "GET /", sent: total, succeeded: total, failed: 0, interrupted: 0, lost: 0 };
  return {
    ...usual.state,
    ...{ durationMs: seconds * 1000, startsUntilMs: seconds * 1000, isLoadOver: true },
    workers: Array.from({ length: machines }, (_, id) => ({ id, lost: null, isRunning: false })),
    accounting: {
      ...usual.state.accounting,
      iterations: { ...iterations, scheduled: total, started: total, completed: total },
      requests: [{ ...row, started: total }],
    },
    ...changes,
  };
}

function momentsOf(inputsOf: (second: number) => readonly CollectorInput[], end: RunState): RecordedMoment[] {
  return Array.from({ length: seconds }, (_, second) => ({
    inputs: inputsOf(second),
    places: [],
    state: end,
    isEnd: second === seconds - 1,
  }));
}

function shardOf(options: PartOptions, changes: Partial<RunState> = {}): ReturnType<typeof partOf> {
  const { index } = options;
  const inputsOf = (second: number): CollectorInput[] => [
    inputOf(0, second, index),
    { kind: "gauges", second, gauges: { vus: 2, vusMade: 2, connectionsOpen: 2 } },
  ];
  return partOf(options, momentsOf(inputsOf, stateOf(1, changes)));
}

async function* eachOf(moments: readonly RecordedMoment[]): AsyncGenerator<RecordedMoment> {
  for (const moment of moments) yield await Promise.resolve(moment);
}

function merge(
  parts: readonly ReturnType<typeof partOf>[],
  options: { readonly allowsPartial?: boolean; readonly notes?: readonly string[] } = {},
): Promise<TestResult> {
  const [first, ...others] = parts;
  if (first === undefined) throw new TypeError("no parts");
  return mergeRuns([first, ...others], { allowsPartial: false, notes: [], ...options });
}

const threshold: ValidatedThreshold = {
  ...{ key: "http_req_duration", metric: "http_req_duration", filters: [], text: "p(99)<5s" },
  expression: parseThreshold("p(99)<5s"),
  ...{ abortOnFail: false, delayAbortEvalMs: 0, windowMs: 10_000, allowEmpty: false },
};
const thresholds = [{ threshold, source: null }];

describe("the merge of recordings", () => {
  test("of 48 machines is the result of one machine that was fed the same samples", async () => {
    const machines = 48;
    const ids = Array.from({ length: machines }, (_, id) => id);
    const parts = ids.map((index) => shardOf({ index, count: machines, changes: { thresholds } }));
    const merged = await merge(parts);
    const one = await rebuildRun(
      { ...recordedRun, thresholds },
      eachOf(
        momentsOf(
          (second) => [
            ...ids.map((id) => inputOf(id, second, id)),
            { kind: "gauges", second, gauges: { vus: 96, vusMade: 96, connectionsOpen: 96 } },
          ],
          stateOf(machines),
        ),
      ),
    );
    // Percentiles, histograms and the timeline: bucket by bucket.
    for (const key of [
      "metrics",
      "series",
      "intervals",
      "names",
      "accounting",
      "thresholds",
      "exitCode",
    ] as const)
      expect(merged[key], key).toEqual(one[key]);
    expect(merged.metrics["http_req_duration"]).toMatchObject({ values: { count: 48 * 60 * 20 } });
    expect(merged).toMatchObject({ verdict: "passed", shard: null, plan: { workers: machines } });
    expect(merged.notes).toEqual([
      "merged from 48 shards, which began 0 ms apart by their own clocks: set --start-at for one start",
    ]);
    expect(findContradictions(merged)).toEqual([]);
  });

  test("reads all parts side by side", async () => {
    const read: number[] = [];
    const noting = (index: number): ReturnType<typeof partOf> => {
      const part = shardOf({ index, count: 3 });
      return { ...part, moments: noted(part.moments, () => read.push(index)) };
    };
    await merge([noting(0), noting(1), noting(2)]);
    const counts = [0, 0, 0];
    for (const index of read) {
      counts[index] = (counts[index] ?? 0) + 1;
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }
    expect(counts).toEqual([seconds, seconds, seconds]);
  });

  test("names a shard that was killed, and one that began late", async () => {
    const killed = shardOf({ index: 1, count: 3 }, { isLoadOver: false });
    const unended = { ...killed, moments: eachOf((await all(killed.moments)).slice(0, 30)) };
    const late = shardOf({ index: 2, count: 3, startAt: "2026-11-21T10:00:00.000Z" }, { lateMs: 2500 });
    const result = await merge([shardOf({ index: 0, count: 3 }), unended, late]);
    expect(result).toMatchObject({ verdict: "errored", exitCode: 109, truncated: false });
    expect(result.messages).toEqual([
      "worker 1 was lost: its process was killed (shard 2)",
      "the load began 2.5 s after --start-at; arrivals due before were dropped",
    ]);
  });

  test("forgives a late start where the merge or the shard allows it", async () => {
    const start = { startAt: "2026-11-21T10:00:00.000Z" };
    const late = (allowsPartial: boolean): ReturnType<typeof partOf> =>
      shardOf({ index: 0, count: 1, ...start, changes: { allowsPartial } }, { lateMs: 2500 });
    expect(await merge([late(false)])).toMatchObject({ exitCode: 109 });
    expect(await merge([late(false)], { allowsPartial: true, notes: ["shard 2 is missing"] })).toMatchObject({
      exitCode: 0,
      notes: [
        "the load began 2.5 s after --start-at; arrivals due before were dropped",
        "shard 2 is missing",
        "merged from 1 shard, of which shard 1 began last, 2.5 s late",
      ],
    });
    expect(await merge([late(true)])).toMatchObject({ exitCode: 0 });
  });
});

async function* noted<Value>(values: AsyncIterable<Value>, note: () => void): AsyncGenerator<Value> {
  for await (const value of values) {
    note();
    yield value;
  }
}

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const found: Value[] = [];
  for await (const value of values) found.push(value);
  return found;
}
