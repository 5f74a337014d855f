import { addTo, layoutOfSum, type Accumulator, type MetricDelta } from "@bearhug/metrics/accumulator";
import { CheckFaultLog } from "@bearhug/metrics/check-faults";
import { ErrorLog, type ErrorRecord } from "@bearhug/metrics/error-log";
import { getOrAdd } from "@bearhug/metrics/get-or-add";
import { metricCatalog } from "@bearhug/metrics/metric-catalog";
import { SeriesStore } from "@bearhug/metrics/series-store";
import type { SeriesDelta } from "@bearhug/metrics/snapshot";
import { RunningTotals } from "@bearhug/metrics/thresholds/running-totals";
import { ThresholdWindows } from "@bearhug/metrics/thresholds/windows";
import { Trend } from "@bearhug/metrics/trend";
import { UnmeasuredLog } from "@bearhug/metrics/unmeasured-log";
import type { MonitorReport } from "@bearhug/plan/monitors/monitor";
import type { WorkerHealth, WorkerSnapshot } from "@bearhug/plan/protocol/messages";

import type { LoadGauges } from "./account.ts";
import { blockedMetrics, BlockStore } from "./block-store.ts";
import { ExemplarStore } from "./exemplar-store.ts";
import { SeriesGatherer } from "./gather-series.ts";
import { LatestSeconds } from "./latest-seconds.ts";
import { LoginStore } from "./login-store.ts";
import { MonitorStore } from "./monitor-store.ts";
import type { CollectorInput, RecordedPlan, RecordedThreshold } from "./run-record.ts";
import type { WorkerState } from "./run-state.ts";
import { RunTimeline } from "./run-timeline.ts";
import { TargetStore } from "./target-store.ts";
import { TurnStore } from "./turn-store.ts";

/** The id under which the coordinator's own series are stored; those of workers count from 0. */
const coordinatorId = -1;
const noTags = {};
/** The longest time that windows wait for a worker that sends nothing. */
const patienceSeconds = 5;

/** Adds the lateness of arrivals from a worker's series. */
export function addScheduleLag(lag: Trend, series: readonly SeriesDelta[]): void {
  for (const { metrics } of series) {
    const delta = metrics["schedule_lag"];
    if (delta?.type === "trend") lag.merge(delta);
  }
}

/** Returns the samples of all series. They are added up once for all that shows a run as a whole. */
function sumSeries(series: readonly SeriesDelta[]): Readonly<Record<string, MetricDelta>> {
  const sums = new Map<string, Accumulator>();
  const layout = layoutOfSum(series.length);
  for (const { metrics } of series)
    for (const name in metrics) {
      const delta = metrics[name];
      if (delta !== undefined) addTo(sums, name, delta, layout);
    }
  return Object.fromEntries(sums);
}

/** Returns `samples` readings of a gauge that all have this value. */
export function gaugeOf(value: number, samples = 1): MetricDelta {
  return { type: "gauge", value, min: value, max: value, sum: value * samples, samples };
}

/** Adds a recorded input to a collector. */
export function replay(collector: Collector, input: CollectorInput): void {
  if (input.kind === "snapshot") collector.add(input.workerId, input.snapshot);
  else if (input.kind === "errors") collector.addErrors(input.errors);
  else if (input.kind === "gauges") collector.gauge(input.second, input.gauges);
  else collector.monitor(input.report);
}

/** The parts of a run that determine how its samples are collected. */
interface CollectedRun {
  readonly plan: Pick<RecordedPlan, "clients" | "metrics"> | null;
  readonly thresholds: readonly Pick<RecordedThreshold, "threshold">[];
}

/** Merges everything that the workers have reported so far. */
export class Collector {
  readonly store: SeriesStore = new SeriesStore();
  readonly errors: ErrorLog = new ErrorLog();
  readonly exemplars: ExemplarStore = new ExemplarStore();
  readonly checkFaults: CheckFaultLog = new CheckFaultLog();
  /** Traffic of the load that bypassed the engine. */
  readonly unmeasured: UnmeasuredLog = new UnmeasuredLog();
  readonly timeline: RunTimeline;
  readonly windows: ThresholdWindows;
  /** The samples so far of each threshold. */
  readonly totals: RunningTotals;
  readonly latest: LatestSeconds;
  /** Samples by blocks of time, for comparing results. */
  readonly blocks: BlockStore;
  /** The turns of variants; empty without any. */
  readonly turns: TurnStore = new TurnStore();
  /** Successes and failures by scenario and host. */
  readonly targets: TargetStore = new TargetStore();
  readonly logins: LoginStore = new LoginStore();
  /** Readings of monitors; empty without any. */
  readonly monitors: MonitorStore = new MonitorStore();
  /** The series since the last progress; null if no reporter wants series. */
  gathered: SeriesGatherer | null = null;
  readonly #secondsReported = new Map<number, number>();
  readonly #health = new Map<number, WorkerHealth>();
  readonly #scheduleLags = new Map<number, Trend>();
  #overflow: Pick<WorkerSnapshot["overflow"], "name" | "tags"> = { name: null, tags: null };
  readonly #foldedTags = new Set<string>();
  readonly #onInput: (input: CollectorInput) => void;

  /** `onInput` receives each input, so that it can be replayed later. */
  constructor(
    { plan, thresholds: recorded }: CollectedRun,
    onInput: (input: CollectorInput) => void = () => undefined,
  ) {
    const { clients, metrics } = plan ?? { clients: [], metrics: {} };
    const thresholds = recorded.map(({ threshold }) => threshold);
    this.#onInput = onInput;
    this.blocks = new BlockStore(blockedMetrics(clients, thresholds));
    this.windows = new ThresholdWindows(thresholds, metricCatalog({ clients, metrics }));
    this.totals = new RunningTotals(thresholds);
    this.timeline = new RunTimeline(clients);
    this.latest = new LatestSeconds(clients);
  }

  add(workerId: number, snapshot: WorkerSnapshot): void {
    const {
      interval,
      series,
      errors,
      checkFaults,
      unmeasured,
      health,
      overflow,
      turns = [],
      targets = [],
    } = snapshot;
    this.store.add(workerId, series);
    const whole = [{ id: 0, tags: noTags, metrics: sumSeries(series) }];
    this.timeline.add(interval, whole);
    this.latest.add(interval, whole);
    this.turns.add(turns);
    this.targets.add(interval, targets);
    const tagged = series.map((delta) => ({
      tags: this.store.tagsOf(workerId, delta),
      metrics: delta.metrics,
    }));
    this.logins.add(interval, targets, tagged);
    this.windows.add(interval, tagged);
    this.totals.add(tagged);
    this.blocks.add(interval, tagged);
    this.gathered?.add(tagged);
    this.#secondsReported.set(workerId, interval + 1);
    this.#health.set(workerId, health);
    for (const record of errors) this.errors.add(record, record.count);
    if (snapshot.exemplars !== undefined) this.exemplars.add(workerId, snapshot.exemplars);
    for (const fault of checkFaults) this.checkFaults.merge(fault);
    for (const traffic of unmeasured) this.unmeasured.add(traffic);
    addScheduleLag(
      getOrAdd(this.#scheduleLags, workerId, () => new Trend(3)),
      whole,
    );
    this.#overflow = {
      name: overflow.name ?? this.#overflow.name,
      tags: overflow.tags ?? this.#overflow.tags,
    };
    if (overflow.name !== null) this.#foldedTags.add("name");
    for (const tag of overflow.foldedTags) this.#foldedTags.add(tag);
    this.#onInput({ kind: "snapshot", workerId, snapshot });
  }

  /** Adds errors that belong to no load worker: those of code that setup started. */
  addErrors(errors: readonly ErrorRecord[]): void {
    for (const record of errors) this.errors.add(record, record.count);
    this.#onInput({ kind: "errors", errors });
  }

  /** Records the number of VUs and connections in a second. */
  gauge(second: number, gauges: LoadGauges): void {
    const { vus, vusMade, connectionsOpen } = gauges;
    const metrics = {
      vus: gaugeOf(vus),
      vus_max: gaugeOf(vusMade),
      connections_open: gaugeOf(connectionsOpen),
    };
    this.timeline.add(second, this.#addOwn(second, metrics));
    this.#onInput({ kind: "gauges", second, gauges });
  }

  /** Adds a monitor's readings of a second, unless another machine has already reported them. */
  monitor(report: MonitorReport): void {
    const seconds = this.monitors.add(report);
    if (seconds !== null) this.#addReadings(report, seconds);
    this.#onInput({ kind: "monitor", report });
  }

  #addReadings({ second, monitor, readings }: MonitorReport, seconds: ReadonlyMap<string, number>): void {
    const metrics = Object.fromEntries(
      Object.entries(readings).map(
        ([gauge, { value }]) => [`${monitor}.${gauge}`, gaugeOf(value, seconds.get(gauge))] as const,
      ),
    );
    this.#addOwn(second, metrics);
  }

  /** Adds the coordinator's own samples of a second, and returns them as a series. */
  #addOwn(second: number, metrics: SeriesDelta["metrics"]): SeriesDelta[] {
    const deltas = [{ id: 0, tags: noTags, metrics }];
    this.store.add(coordinatorId, deltas);
    this.windows.add(second, deltas);
    this.totals.add(deltas);
    this.gathered?.add(deltas);
    return deltas;
  }

  /**
   * Evaluates the windows of the seconds that are over and that all running workers have reported. Waits only a
   * few seconds for a worker that sends nothing; its later samples count when they arrive.
   */
  advanceWindows(secondsOver: number, workers: readonly WorkerState[], fullUntilMs: number): void {
    const running = workers.filter(({ isRunning }) => isRunning).map(({ id }) => id);
    const reported = Math.min(secondsOver, this.secondsReported(running));
    this.windows.advance(Math.max(secondsOver - patienceSeconds, reported), fullUntilMs);
  }

  /** Returns the number of seconds of the run for which all of these workers have sent snapshots. */
  secondsReported(workerIds: readonly number[]): number {
    return Math.min(...workerIds.map((id) => this.#secondsReported.get(id) ?? 0));
  }

  health(workerId: number): WorkerHealth | null {
    return this.#health.get(workerId) ?? null;
  }

  scheduleLagMs(workerId: number, percent: number): number | null {
    const lag = this.#scheduleLags.get(workerId);
    return lag === undefined || lag.count === 0 ? null : lag.percentile(percent);
  }

  /** The tags that some samples carry as `(other)`: filters on them cannot be evaluated. */
  get foldedTags(): ReadonlySet<string> {
    return new Set([...this.#foldedTags, ...this.store.foldedTags]);
  }

  /** Returns a sentence for each limit that was reached. */
  warnings(): string[] {
    const { name } = this.#overflow;
    const tags = this.#overflow.tags ?? this.store.overflowed;
    return [
      ...(name === null
        ? []
        : [
            `more than 1,000 request names: further ones, such as "${name}", are counted as (other). Set name on such requests.`,
          ]),
      ...(tags === null
        ? []
        : [
            `too many tags (limits: 2,000 combinations, 100 names, 32 tags on a sample): further ones, such as ${tags}, are counted as (other). Use fewer tags and values.`,
          ]),
    ];
  }
}
