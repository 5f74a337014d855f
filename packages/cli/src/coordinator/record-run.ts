import type { Accounting } from "@bearhug/sdk";

import type { BundlePosition } from "../metrics/error-log.ts";
import type { UnmeasuredTraffic } from "../metrics/unmeasured-log.ts";
import type { Clock } from "../pacing/clock.ts";
import type {
  CollectorInput,
  RecordedMoment,
  RecordedPlace,
  RecordedRun,
  RunRecorder,
  StageFailure,
} from "../outcome/run-record.ts";
import type { Mask } from "../secret-mask.ts";
import type { PlannedRun } from "../test-file/make-plan.ts";
import { version } from "../version.ts";
import { accountIterations, accountRequests, accountStages } from "../outcome/account.ts";
import { describeEnvironment, type Locate, type LocateThreshold } from "../outcome/assemble-result.ts";
import type { FinishedRun } from "../outcome/finished-run.ts";
import type { DefinitionSession } from "./definition-session.ts";
import type { Interruptions } from "./interruptions.ts";
import type { LoadRun } from "./load-run.ts";
import { maskMoment, maskRun } from "../outcome/mask-recording.ts";

/** What recording a run takes. */
export interface RecordedParts {
  /** Null: the run is not recorded. */
  readonly recorder: RunRecorder | null;
  readonly clock: Clock;
  readonly mask: Mask;
  readonly file: string | null;
  readonly isStrictGenerator: boolean;
  readonly locate: Locate;
  readonly locateThreshold: LocateThreshold;
  readonly interruptions: Interruptions;
  readonly definition: DefinitionSession;
  readonly planned: PlannedRun;
}

/** What the load has told besides its samples. */
export interface ToldBesides {
  readonly failures: readonly StageFailure[];
  readonly abortReason: string | null;
  readonly hasReceivedEnough: boolean;
}

type ToldState = Omit<RecordedMoment, "inputs" | "places">;

const momentEveryMs = 1000;

/** Tells a recorder about a run: when a second's snapshots have all come, and after a second without. */
export class RunRecording {
  readonly #parts: RecordedParts;
  readonly #placesTold = new Set<string>();
  #inputs: CollectorInput[] = [];
  #snapshots = 0;
  #load: LoadRun | null = null;
  #told: ToldBesides = { failures: [], abortReason: null, hasReceivedEnough: false };
  #ended: FinishedRun | null = null;
  #cancel: () => void = () => undefined;

  constructor(parts: RecordedParts) {
    this.#parts = parts;
    if (parts.recorder === null) return;
    parts.recorder.begin(maskRun(describeRun(parts), parts.mask.hide));
    this.#arm();
  }

  /** From now on there is a load. */
  watch(load: LoadRun, told: ToldBesides): void {
    this.#load = load;
    this.#told = told;
  }

  note(input: CollectorInput): void {
    if (this.#parts.recorder === null) return;
    this.#inputs.push(input);
    if (input.kind !== "snapshot") return;
    this.#snapshots++;
    const running = this.#load?.workers.filter(({ isRunning }) => isRunning).length ?? 0;
    if (this.#snapshots >= running) this.#tellState();
  }

  /** The load has ended, and this is what became of it; teardown follows. */
  endLoad(loaded: FinishedRun): void {
    this.#ended = loaded;
    if (this.#parts.recorder !== null) this.#tellState();
  }

  /** The run has ended, and this is what became of it. */
  end(finished: FinishedRun): void {
    this.#cancel();
    this.#tell(stateOf(finished, true));
  }

  /** Nothing more is told. */
  stop(): void {
    this.#cancel();
  }

  #arm(): void {
    const { clock } = this.#parts;
    this.#cancel();
    this.#cancel = clock.at(clock.now() + momentEveryMs, () => {
      this.#tellState();
    });
  }

  #tellState(): void {
    this.#arm();
    const { clock, interruptions, definition } = this.#parts;
    if (this.#ended !== null) {
      const unmeasured = definition.unmeasured.all();
      this.#tell(stateOf({ ...this.#ended, ...accountStages(definition), unmeasured }, false));
      return;
    }
    const load = this.#load;
    const { failures, abortReason, hasReceivedEnough } = this.#told;
    const fromMs = load?.measuredFromMs ?? 0;
    const elapsedMs = fromMs === 0 ? 0 : clock.now() - fromMs;
    this.#tell({
      startedAt: fromMs === 0 ? null : new Date(clock.date().getTime() - elapsedMs).toISOString(),
      durationMs: Math.max(0, elapsedMs),
      startsUntilMs: 0,
      process: null,
      accounting: accountRun(load, definition),
      workers: load?.workers.map(({ id, lost, isRunning }) => ({ id, lost, isRunning })) ?? [],
      ...{ failures, abortReason, hasReceivedEnough },
      unmeasured: definition.unmeasured.all(),
      interruptedBy: interruptions.signal,
      isLoadOver: false,
      teardownSignal: null,
      isEnd: false,
    });
  }

  #tell(state: ToldState): void {
    const { recorder, mask } = this.#parts;
    const inputs = this.#inputs;
    this.#inputs = [];
    this.#snapshots = 0;
    const places = this.#findPlaces(inputs, state.failures, state.unmeasured);
    recorder?.add(maskMoment({ ...state, inputs, places }, mask.hide));
  }

  #findPlaces(
    inputs: readonly CollectorInput[],
    failures: readonly StageFailure[],
    besides: readonly UnmeasuredTraffic[],
  ): RecordedPlace[] {
    const snapshots = inputs.flatMap((input) => (input.kind === "snapshot" ? [input.snapshot] : []));
    const met = snapshots.flatMap(({ errors, checkFaults, unmeasured }) => [
      ...errors,
      ...checkFaults,
      ...unmeasured,
    ]);
    const positions = [
      ...[...met, ...besides].map(({ position }) => position),
      ...failures.map((failure) => failure.thrown.position),
    ];
    return positions.flatMap((position) => (position === null ? [] : this.#findPlace(position)));
  }

  #findPlace(position: BundlePosition): RecordedPlace[] {
    const key = `${position.line}:${position.column}`;
    if (this.#placesTold.has(key)) return [];
    this.#placesTold.add(key);
    const found = this.#parts.locate(position);
    return found === null ? [] : [{ position, ...found }];
  }
}

function describeRun({
  planned,
  file,
  isStrictGenerator,
  clock,
  locateThreshold,
}: RecordedParts): RecordedRun {
  const { testName, seed, baseUrl, allowHosts, metrics, workers, warmupMs, maxDataBytes, scenarios } =
    planned.plan;
  return {
    file,
    beganAt: clock.date().toISOString(),
    isStrictGenerator,
    plan: {
      ...{ testName, seed, baseUrl, allowHosts, metrics, workers, warmupMs, maxDataBytes },
      scenarios: scenarios.map(({ scenario, description }) => ({
        scenario: {
          name: scenario.name,
          executor: scenario.executor,
          expectsNoRequests: scenario.expectsNoRequests,
          http: { transport: scenario.http.transport },
        },
        description,
      })),
    },
    thresholds: planned.thresholds.map((threshold) => ({
      threshold,
      source: locateThreshold(threshold.key, threshold.text),
    })),
    tool: { name: "bearhug", version, node: process.versions.node },
    environment: describeEnvironment(),
  };
}

function stateOf(run: FinishedRun, isEnd: boolean): ToldState {
  const { iterations, requests, setup, teardown, warmup, startedAt, durationMs, startsUntilMs } = run;
  const { failures, abortReason, hasReceivedEnough, interruptedBy, isLoadOver, teardownSignal } = run;
  return {
    startedAt: startedAt.toISOString(),
    durationMs,
    startsUntilMs,
    process: run.process,
    accounting: { iterations, requests, setup, teardown, warmup },
    workers: run.workers.map((worker) => ({ ...worker, isRunning: false })),
    ...{ failures, unmeasured: run.unmeasured, abortReason, hasReceivedEnough, interruptedBy },
    ...{ isLoadOver, teardownSignal, isEnd },
  };
}

/** As it stands: what runs has no ending yet, and would be lost if nothing more were told. */
function accountRun(load: LoadRun | null, definition: DefinitionSession): Accounting {
  const accountings = load?.accountings ?? [];
  const warmups = load?.warmupAccountings ?? [];
  return {
    iterations: accountIterations(accountings),
    requests: accountRequests(accountings),
    ...accountStages(definition),
    warmup:
      warmups.length === 0
        ? null
        : { iterations: accountIterations(warmups), requests: accountRequests(warmups) },
  };
}
