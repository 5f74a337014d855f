import { Trend } from "@bearhug/metrics/trend";
import { randomSource } from "@bearhug/plan/pacing/random-source";

import type { ShardPart } from "../../../src/outcome/merge/part.ts";
import type {
  CollectorInput,
  RecordedMoment,
  RecordedPlan,
  RecordedRun,
} from "../../../src/outcome/run-record.ts";
import type { RunState } from "../../../src/outcome/run-state.ts";
import { recordedMoment, recordedRun } from "../../recording/recorded.ts";
import { thresholdOf } from "../../../../metrics/test/thresholds/threshold-of.ts";

/** The length of a shard's load. */
export const seconds = 12;
export const samplesOfSecond = 20;

const usual = recordedMoment(0);

export interface PartOptions {
  readonly index: number;
  readonly count: number;
  readonly workers?: number;
  readonly changes?: Partial<RecordedRun>;
  readonly plan?: Partial<RecordedPlan>;
  readonly startAt?: string | null;
  readonly testHash?: string;
}

/** Returns the recording of one shard, with these moments. */
export function partOf(
  {
    index,
    count,
    workers = 1,
    changes = {},
    plan: planned = {},
    startAt = null,
    testHash = "abc",
  }: PartOptions,
  moments: readonly RecordedMoment[] = [],
): ShardPart {
  const { plan: usual } = recordedRun;
  if (usual === null) throw new TypeError("a run without a plan");
  const plan = { ...usual, workers, ...planned };
  const shard = { index, count, testHash, startAt };
  return {
    name: `part-${index + 1}.bearhug`,
    run: { ...recordedRun, plan, shard, ...changes },
    shard,
    plan,
    moments: eachOf(moments),
  };
}

export async function* eachOf(moments: readonly RecordedMoment[]): AsyncGenerator<RecordedMoment> {
  for (const moment of moments) yield await Promise.resolve(moment);
}

/** Returns a worker's snapshot of one second of the run, with random durations of its own. */
export function inputOf(workerId: number, interval: number, machine: number, name = "GET /"): CollectorInput {
  const [first] = usual.inputs;
  if (first?.kind !== "snapshot") throw new TypeError("no snapshot");
  const random = randomSource(machine, interval);
  const duration = new Trend(3);
  for (let sample = 0; sample < samplesOfSecond; sample++) duration.add(1 + 2000 * random() ** 4);
  const series = {
    id: 0,
    tags: interval === 0 ? { scenario: "readers", name } : null,
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

/** Returns the state at the end of a run on this many machines. */
export function stateOf(machines: number, changes: Partial<RunState> = {}): RunState {
  const total = seconds * samplesOfSecond * machines;
  const iterations = { failed: 0, interrupted: 0, dropped: 0, lost: 0 };
  const row = { name: "GET /", sent: total, succeeded: total, failed: 0, interrupted: 0, lost: 0 };
  return {
    ...usual.state,
    durationMs: seconds * 1000,
    startsUntilMs: seconds * 1000,
    isLoadOver: true,
    workers: Array.from({ length: machines }, (_, id) => ({ id, lost: null, isRunning: false })),
    accounting: {
      ...usual.state.accounting,
      iterations: { ...iterations, scheduled: total, started: total, completed: total },
      requests: [{ ...row, started: total }],
    },
    ...changes,
  };
}

export function momentsOf(
  inputsOf: (second: number) => readonly CollectorInput[],
  end: RunState,
): RecordedMoment[] {
  return Array.from({ length: seconds }, (_, second) => ({
    inputs: inputsOf(second),
    places: [],
    state: end,
    isEnd: second === seconds - 1,
  }));
}

/** Returns a shard that ran to its end. */
export function shardOf(options: PartOptions, changes: Partial<RunState> = {}): ShardPart {
  const { index } = options;
  const inputsOf = (second: number): CollectorInput[] => [
    inputOf(0, second, index),
    { kind: "gauges", second, gauges: { vus: 2, vusMade: 2, connectionsOpen: 2 } },
  ];
  return partOf(options, momentsOf(inputsOf, stateOf(1, changes)));
}

const threshold = thresholdOf("http_req_duration", "p(99)<5s", { windowMs: 10_000 });
export const thresholds = [{ threshold, source: null }];
