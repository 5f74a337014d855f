import type { BundlePosition } from "@bearhug/metrics/error-log";

import { keyOf } from "../outcome/rebuild-run.ts";
import type { CollectorInput, RecordedPlace, RecordedRun, RunRecorder } from "../outcome/run-record.ts";
import type { RunState } from "../outcome/run-state.ts";
import type { LiveRun } from "./run-request.ts";

/** The parts of a run that a recording needs. */
interface RunRecordingOptions extends Pick<LiveRun, "clock" | "state" | "locate"> {
  readonly recorder: RunRecorder;
  readonly head: RecordedRun;
}

const momentEveryMs = 1000;

/**
 * Sends a run to its recorder: when all workers have sent a snapshot, and after a second without a record.
 */
export class RunRecording {
  readonly #options: RunRecordingOptions;
  readonly #recordedPlaces = new Set<string>();
  #inputs: CollectorInput[] = [];
  #snapshots = 0;
  #cancel: () => void = () => undefined;

  constructor(options: RunRecordingOptions) {
    this.#options = options;
    options.recorder.begin(options.head);
    this.#arm();
  }

  add(input: CollectorInput): void {
    this.#inputs.push(input);
    if (input.kind !== "snapshot") return;
    this.#snapshots++;
    if (this.#snapshots >= this.#options.state.workersRunning) this.record();
  }

  /** Records the inputs since the last record, and the current state. */
  record(): void {
    this.#arm();
    this.#send(this.#options.state.now(), false);
  }

  /** Records the final state and stops recording. */
  end(state: RunState): void {
    this.stop();
    this.#send(state, true);
  }

  stop(): void {
    this.#cancel();
  }

  #arm(): void {
    const { clock } = this.#options;
    this.#cancel();
    this.#cancel = clock.at(clock.now() + momentEveryMs, () => this.record());
  }

  #send(state: RunState, isEnd: boolean): void {
    const inputs = this.#inputs;
    this.#inputs = [];
    this.#snapshots = 0;
    const { progress } = this.#options.state;
    const places = this.#findPlaces(inputs, state);
    this.#options.recorder.add({ inputs, places, state, ...(progress && { progress }), isEnd });
  }

  #findPlaces(inputs: readonly CollectorInput[], { failures, unmeasured }: RunState): RecordedPlace[] {
    const snapshots = inputs.flatMap((input) => (input.kind === "snapshot" ? [input.snapshot] : []));
    const met = [
      ...snapshots.flatMap((one) => [...one.errors, ...one.checkFaults, ...one.unmeasured]),
      ...inputs.flatMap((input) => (input.kind === "errors" ? input.errors : [])),
    ];
    const positions = [
      ...[...met, ...unmeasured].map(({ position }) => position),
      ...failures.map((failure) => failure.thrown.position),
    ];
    return positions.flatMap((position) => (position === null ? [] : this.#findPlace(position)));
  }

  #findPlace(position: BundlePosition): RecordedPlace[] {
    const key = keyOf(position);
    if (this.#recordedPlaces.has(key)) return [];
    this.#recordedPlaces.add(key);
    const found = this.#options.locate(position);
    return found === null ? [] : [{ position, ...found }];
  }
}
