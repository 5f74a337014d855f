import { parseResult, type TestResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { findContradictions } from "../../../src/outcome/contradictions/find-contradictions.ts";
import { gapOfRun, type Gap } from "../../../src/outcome/merge/check-parts.ts";
import { mergeRuns } from "../../../src/outcome/merge/merge-runs.ts";
import type { ShardPart } from "../../../src/outcome/merge/part.ts";
import { rebuildRun } from "../../../src/outcome/rebuild-run.ts";
import { recordedRun } from "../../recording/recorded.ts";
import {
  eachOf,
  inputOf,
  momentsOf,
  samplesOfSecond,
  seconds,
  shardOf,
  stateOf,
  thresholds,
} from "./parts.ts";

function merge(
  parts: readonly ShardPart[],
  options: { readonly allowsPartial?: boolean; readonly gaps?: readonly Gap[] } = {},
): Promise<TestResult> {
  const [first, ...others] = parts;
  if (first === undefined) throw new TypeError("no parts");
  return mergeRuns([first, ...others], { allowsPartial: false, gaps: [], ...options });
}

describe("the merge of recordings", () => {
  test("of 48 machines is the result of one machine with the same samples", async () => {
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
    expect(merged.metrics["http_req_duration"]).toMatchObject({
      values: { count: 48 * seconds * samplesOfSecond },
    });
    expect(merged).toMatchObject({ verdict: "passed", shard: null, plan: { workers: machines } });
    expect(merged.notes).toEqual([
      "merged from 48 shards, which began 0 ms apart by their own clocks: set --start-at for one start",
    ]);
    expect(findContradictions(merged)).toEqual([]);
  });

  test("of one shard compares its start with no other", async () => {
    const notesOf = async (start: { readonly startAt?: string }): Promise<readonly string[]> => {
      const { notes } = await merge([shardOf({ index: 0, count: 1, ...start })]);
      return notes;
    };
    const startAt = "2026-11-21T10:00:00.000Z";
    expect(await notesOf({})).toEqual(["merged from 1 shard"]);
    expect(await notesOf({ startAt })).toEqual([
      `merged from 1 shard, which began at ${startAt} by its own clock`,
    ]);
  });

  test("reads all parts at the same pace", async () => {
    const read: number[] = [];
    const recordingReads = (index: number): ShardPart => {
      const part = shardOf({ index, count: 3 });
      return { ...part, moments: noted(part.moments, () => read.push(index)) };
    };
    await merge([recordingReads(0), recordingReads(1), recordingReads(2)]);
    const counts = [0, 0, 0];
    for (const index of read) {
      counts[index] = (counts[index] ?? 0) + 1;
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }
    expect(counts).toEqual([seconds, seconds, seconds]);
  });

  test("names a shard that was killed, and one that began late", async () => {
    const killed = shardOf({ index: 1, count: 3 }, { isLoadOver: false });
    const unended = { ...killed, moments: eachOf((await all(killed.moments)).slice(0, seconds / 2)) };
    const late = shardOf({ index: 2, count: 3, startAt: "2026-11-21T10:00:00.000Z" }, { lateMs: 2500 });
    const result = await merge([shardOf({ index: 0, count: 3 }), unended, late]);
    expect(result).toMatchObject({ verdict: "errored", exitCode: 109, truncated: false });
    expect(result.messages).toEqual([
      "shard 2 of 3 was lost after 12 s of load: part-2.bearhug ends there: its process was killed, or the copy is incomplete",
      "the load began 2.5 s after the common start; arrivals due before were dropped",
    ]);
    expect(result.generator.workers.map(({ lost }) => lost)).toEqual([
      null,
      "its whole shard was lost (shard 2)",
      null,
    ]);
    expect(findContradictions(result)).toEqual([]);
  });

  test("names the shards that a signal ended, unless it ended all", async () => {
    const messagesOf = async (signalled: readonly number[]): Promise<readonly string[]> => {
      const parts = [0, 1, 2].map((index) =>
        shardOf({ index, count: 3 }, { interruptedBy: signalled.includes(index) ? "SIGTERM" : null }),
      );
      const { messages, exitCode } = await merge(parts);
      expect(exitCode).toBe(105);
      return messages;
    };
    expect(await messagesOf([1])).toEqual([
      "interrupted by SIGTERM (shard 2); thresholds were not evaluated",
    ]);
    expect(await messagesOf([1, 2])).toEqual([
      "interrupted by SIGTERM (shard 2, shard 3); thresholds were not evaluated",
    ]);
    expect(await messagesOf([0, 1, 2])).toEqual(["interrupted by SIGTERM; thresholds were not evaluated"]);
  });

  test("accepts a shard that was killed if the merge allows it", async () => {
    const killedParts = async (): Promise<ShardPart[]> => {
      const killed = shardOf({ index: 1, count: 2 }, { isLoadOver: false });
      const unended = { ...killed, moments: eachOf((await all(killed.moments)).slice(0, seconds / 2)) };
      return [shardOf({ index: 0, count: 2 }), unended];
    };
    const result = await merge(await killedParts(), { allowsPartial: true });
    expect(result).toMatchObject({
      exitCode: 0,
      verdict: "passed",
      messages: [],
      partial: [
        expect.stringMatching(/^shard 2 of 2 was lost after 12 s of load: part-2\.bearhug ends there/),
      ],
    });
    expect(findContradictions(result)).toEqual([]);
    expect(parseResult(JSON.parse(JSON.stringify(result))).problems).toEqual([]);
    expect(await merge(await killedParts())).toMatchObject({ exitCode: 109 });
  });

  test("accepts a late start if the merge or the shard allows it", async () => {
    const start = { startAt: "2026-11-21T10:00:00.000Z" };
    const late = (allowsPartial: boolean): ShardPart =>
      shardOf({ index: 0, count: 1, ...start, changes: { allowsPartial } }, { lateMs: 2500 });
    expect(await merge([late(false)])).toMatchObject({ exitCode: 109 });
    expect(
      await merge([late(false)], { allowsPartial: true, gaps: [gapOfRun("shard 2 is missing")] }),
    ).toMatchObject({
      exitCode: 0,
      partial: [
        "shard 2 is missing",
        "the load began 2.5 s after the common start; arrivals due before were dropped",
      ],
      notes: ["merged from 1 shard, which began 2.5 s late"],
    });
    expect(await merge([late(true)])).toMatchObject({
      exitCode: 0,
      partial: ["shard 1 began 2.5 s after the common start; arrivals due before were dropped"],
    });
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

test("a feed that all shards together used up is noted, also if a warm-up used rows", async () => {
  const rows = seconds * samplesOfSecond * 2 + 10;
  const endedByFeed = { feed: "users", rows, iterations: rows };
  const scenarios = (recordedRun.plan?.scenarios ?? []).map((one) => ({ ...one, endedByFeed }));
  const notesFor = async (begun: readonly number[]): Promise<readonly string[]> => {
    const parts = begun.map((count, index) =>
      shardOf({ index, count: 2, plan: { scenarios } }, { begun: [count] }),
    );
    return (await merge(parts)).notes;
  };
  const note = expect.stringContaining(`ended after ${rows} iterations, because feed users`) as string;
  expect(await notesFor([rows / 2, rows / 2])).toContainEqual(note);
  expect(await notesFor([rows / 2, rows / 2 - 1])).not.toContainEqual(note);
});
