// How long does `bearhug merge` take for the recordings of 48 machines, and how much memory? One minute of
// 2,000 requests per second and machine, in 40 series, then ten minutes: memory must not grow with the
// length. The merged percentiles, histograms and intervals must equal those of one machine with the same
// samples.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

import { parseResult, type TestResult } from "bearhug";

import { Trend } from "../packages/metrics/src/trend.ts";
import { rebuildRun } from "../packages/engine/src/outcome/rebuild-run.ts";
import type {
  CollectorInput,
  RecordedMoment,
  RecordedRun,
} from "../packages/engine/src/outcome/run-record.ts";
import type { RunState } from "../packages/engine/src/outcome/run-state.ts";
import { randomSource } from "../packages/plan/src/pacing/random-source.ts";
import { formatMomentLine, formatHeadLine } from "../packages/engine/src/recording/lines.ts";
import { recordedMoment, recordedRun } from "../packages/engine/test/recording/recorded.ts";
import { launcher } from "./bench-process.ts";

const { values: options } = parseArgs({
  options: {
    machines: { type: "string", default: "48" },
    seconds: { type: "string", default: "60,600" },
    rate: { type: "string", default: "2000" },
    series: { type: "string", default: "40" },
  },
});
const [machines, rate, series] = [options.machines, options.rate, options.series].map(Number) as [
  number,
  number,
  number,
];
const wanted = { secondsPerMinute: 60, growth: 1.25 };

/** Runs in the merging process, and writes its resource use at its end. */
const noteUse =
  'import { writeFileSync } from "node:fs"; const { BENCH_USE } = process.env;' +
  'process.on("exit", () => { const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();' +
  "writeFileSync(BENCH_USE, JSON.stringify([maxRSS / 1024, (userCPUTime + systemCPUTime) / 1e6])); });";

interface Merged {
  readonly result: TestResult;
  readonly tookS: number;
  readonly cpuS: number;
  readonly peakMb: number;
}

const folder = mkdtempSync(join(tmpdir(), "bearhug-bench-merge-"));
try {
  const lengths = options.seconds.split(",").map(Number);
  const measured: { readonly seconds: number; readonly isMet: boolean; readonly peakMb: number }[] = [];
  for (const seconds of lengths) measured.push(await measure(seconds));
  const [first, last] = [measured[0]?.peakMb ?? 0, measured.at(-1)?.peakMb ?? 0];
  console.log(
    `memory for ${lengths.at(-1)} s is ${(last / first).toFixed(2)} times that for ${lengths[0]} s`,
  );
  const isMet = measured.every((one) => one.isMet) && last <= first * wanted.growth;
  process.exitCode = isMet ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(
  seconds: number,
): Promise<{ readonly seconds: number; readonly isMet: boolean; readonly peakMb: number }> {
  const paths = Array.from({ length: machines }, (_, machine) => writeRecording(machine, seconds));
  const megabytes = paths.reduce((sum, path) => sum + statSync(path).size, 0) / 1e6;
  const { result, tookS, cpuS, peakMb } = mergeAll(paths);
  const one = await rebuildRun({ ...recordedRun, plan: planOf(machines) }, momentsOfOne(seconds));
  const differing = (["metrics", "series", "intervals", "names", "accounting"] as const).filter(
    (key) => !isDeepStrictEqual(result[key], JSON.parse(JSON.stringify(one[key]))),
  );
  console.log(
    `${machines} recordings of ${seconds} s (${megabytes.toFixed(0)} MB, ${(machines * seconds * rate) / 1e6} million requests): ` +
      `${tookS.toFixed(1)} s, CPU ${cpuS.toFixed(1)} s, at most ${peakMb.toFixed(0)} MB; ` +
      (differing.length === 0 ? "equal to one machine" : `DIFFERS in ${differing.join(", ")}`),
  );
  for (const path of paths) rmSync(path);
  const isMet = differing.length === 0 && cpuS <= (wanted.secondsPerMinute * seconds) / 60;
  return { seconds, isMet, peakMb };
}

function mergeAll(paths: readonly string[]): Merged {
  const [report, use] = [join(folder, "result.json"), join(folder, "use.json")];
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      "--import",
      `data:text/javascript,${encodeURIComponent(noteUse)}`,
      launcher,
      "merge",
      ...paths,
      "-o",
      report,
    ],
    { env: { ...process.env, BENCH_USE: use }, stdio: ["ignore", "ignore", "pipe"] },
  );
  const tookS = (performance.now() - startedAt) / 1000;
  if (status !== 0) throw new Error(`bearhug merge ended with ${status}: ${stderr.toString()}`);
  const { result, problems } = parseResult(JSON.parse(readFileSync(report, "utf8")));
  if (result === undefined) throw new Error(JSON.stringify(problems));
  const [peakMb, cpuS] = JSON.parse(readFileSync(use, "utf8")) as [number, number];
  return { result, tookS, cpuS, peakMb };
}

function planOf(workers: number): NonNullable<RecordedRun["plan"]> {
  if (recordedRun.plan === null) throw new TypeError("a run without a plan");
  return { ...recordedRun.plan, workers };
}

/** Writes the recording of one machine as a run does: a line for each second, each compressed separately. */
function writeRecording(machine: number, seconds: number): string {
  const path = join(folder, `part-${machine + 1}.bearhug`);
  const shard = { index: machine, count: machines, testHash: "bench", startAt: null };
  const file = openSync(path, "w");
  writeSync(file, gzipSync(formatHeadLine({ ...recordedRun, shard }, { pid: 1, host: "bench" })));
  for (let second = 0; second < seconds; second++) {
    const moment = {
      inputs: [snapshotOf(machine, second, 0), gaugesOf(second, 1)],
      places: [],
      state: stateOf(1, seconds),
      isEnd: second === seconds - 1,
    };
    writeSync(file, gzipSync(formatMomentLine(moment, second + 1)));
  }
  closeSync(file);
  return path;
}

/** Yields the same samples as one machine with many workers would have recorded them. */
async function* momentsOfOne(seconds: number): AsyncGenerator<RecordedMoment> {
  const state = stateOf(machines, seconds);
  for (let second = 0; second < seconds; second++) {
    const snapshots = Array.from({ length: machines }, (_, machine) => snapshotOf(machine, second, machine));
    const inputs = [...snapshots, gaugesOf(second, machines)];
    yield await Promise.resolve({ inputs, places: [], state, isEnd: second === seconds - 1 });
  }
}

function gaugesOf(second: number, of: number): CollectorInput {
  return { kind: "gauges", second, gauges: { vus: 100 * of, vusMade: 100 * of, connectionsOpen: 90 * of } };
}

/** Returns one second of a machine: times between 1 ms and 2 s, most of them short. */
function snapshotOf(machine: number, second: number, workerId: number): CollectorInput {
  const [usual] = recordedMoment(second).inputs;
  if (usual?.kind !== "snapshot") throw new TypeError("no snapshot");
  const random = randomSource(machine, second);
  const samples = rate / series;
  const { exemplars: _, ...snapshot } = usual.snapshot;
  const deltas = Array.from({ length: series }, (__, id) => {
    const [duration, waiting, receiving] = [new Trend(3), new Trend(2), new Trend(2)];
    for (let sample = 0; sample < samples; sample++) {
      const ms = 1 + (20 + id) * random() ** 2 + (random() < 0.01 ? 2000 * random() : 0);
      duration.add(ms);
      waiting.add(ms * 0.9);
      receiving.add(ms * 0.1);
    }
    return {
      id,
      tags: second === 0 ? { scenario: "readers", name: `GET /${id}` } : null,
      metrics: {
        http_reqs: { type: "counter", total: samples, samples },
        http_req_failed: { type: "rate", trues: 0, samples },
        http_req_duration: duration.toDelta(),
        http_req_waiting: waiting.toDelta(),
        http_req_receiving: receiving.toDelta(),
        data_received: { type: "counter", total: 1000 * samples, samples },
        iterations: { type: "counter", total: samples, samples },
      },
    } as const;
  });
  return { kind: "snapshot", workerId, snapshot: { ...snapshot, interval: second, series: deltas } };
}

/** Returns the state at the end of a run that this many machines shared. */
function stateOf(of: number, seconds: number): RunState {
  const total = of * seconds * rate;
  const usual = recordedMoment(0).state;
  const none = { failed: 0, interrupted: 0, lost: 0 };
  return {
    ...usual,
    durationMs: seconds * 1000,
    startsUntilMs: seconds * 1000,
    isLoadOver: true,
    workers: Array.from({ length: of }, (_, id) => ({ id, lost: null, isRunning: false })),
    accounting: {
      ...usual.accounting,
      iterations: { scheduled: total, started: total, completed: total, dropped: 0, ...none },
      requests: [{ name: "GET /", started: total, sent: total, succeeded: total, ...none }],
    },
  };
}
