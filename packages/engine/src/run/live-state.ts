import type { Clock } from "@bearhug/plan/pacing/clock";
import type { Mask } from "@bearhug/text/secret-mask";

import {
  accountIterations,
  accountRequests,
  accountStages,
  interruptUnfinished,
} from "../outcome/account.ts";
import { maskState } from "../outcome/mask-inputs.ts";
import { begunIterations } from "../outcome/load-counts.ts";
import type { RecordedProgress } from "../outcome/run-record.ts";
import { initialState, type RunState, type StageFailure } from "../outcome/run-state.ts";
import type { DefinitionSession } from "./definition-session.ts";
import type { Interruptions } from "./interruptions.ts";
import type { LoadRun } from "./load-run.ts";

export interface LiveStateOptions {
  readonly clock: Clock;
  readonly interruptions: Interruptions;
  readonly definition: DefinitionSession;
  readonly mask: Mask;
}

/**
 * The state of a run in progress: events are stored as they happen, counts are read from their owners on
 * demand.
 */
export class LiveState {
  readonly #options: LiveStateOptions;
  #set: RunState = initialState;
  #load: LoadRun | null = null;
  #areSignalsOver = false;

  constructor(options: LiveStateOptions) {
    this.#options = options;
  }

  set(changes: Partial<RunState>): void {
    this.#set = { ...this.#set, ...changes };
  }

  fail(failure: StageFailure): void {
    this.set({ failures: [...this.#set.failures, failure] });
  }

  /** Stores the reason of an abort. Only the first one counts. */
  abort(reason: string): void {
    this.set({ abortReason: this.#set.abortReason ?? reason });
  }

  /** Sets the load whose counts are read; null withdraws one that was not started. */
  watch(load: LoadRun | null): void {
    this.#load = load;
  }

  get workersRunning(): number {
    return this.#load?.workers.filter(({ isRunning }) => isRunning).length ?? 0;
  }

  /** The time since measuring began, until the end of the load; 0 before. */
  get durationMs(): number {
    if (this.#load === null || this.#load.measuredFromMs === 0) return 0;
    const { endedAtMs, measuredFromMs } = this.#load;
    return Math.max(0, (endedAtMs === 0 ? this.#options.clock.now() : endedAtMs) - measuredFromMs);
  }

  /** Null without a load. */
  get progress(): RecordedProgress | null {
    if (this.#load === null) return null;
    const { measured, warmup, receivedBytes } = this.#load.counts;
    return { receivedBytes, scenarios: measured.scenarios, warmup: warmup.scenarios };
  }

  /** Returns the state at the end of the load. Later signals belong to teardown. */
  endLoad(): RunState {
    this.set({ interruptedBy: this.#options.interruptions.signal });
    this.#areSignalsOver = true;
    return this.now();
  }

  /**
   * Returns the current state, masked. Unfinished work counts as lost, in case this is the last record of the
   * run.
   */
  now(): RunState {
    const { interruptions, definition, mask } = this.#options;
    const state: RunState = {
      ...this.#set,
      ...this.#readLoad(),
      interruptedBy: this.#areSignalsOver ? this.#set.interruptedBy : interruptions.signal,
      unmeasured: definition.unmeasured.all(),
    };
    return maskState(state, mask.hide);
  }

  /**
   * Returns the state at the end of the run. Requests that code of setup still has under way are interrupted by
   * the end; they are lost only with their thread.
   */
  end(): RunState {
    const state = this.now();
    if (this.#options.definition.hasEnded) return state;
    const { accounting } = state;
    const setup = interruptUnfinished(accounting.setup);
    const teardown = interruptUnfinished(accounting.teardown);
    return { ...state, accounting: { ...accounting, setup, teardown } };
  }

  #readLoad(): Pick<RunState, "accounting" | "begun" | "durationMs" | "workers"> {
    const load = this.#load;
    const stages = accountStages(this.#options.definition, load);
    if (load === null)
      return { durationMs: 0, workers: [], accounting: { ...initialState.accounting, ...stages } };
    const { accountings, warmupAccountings } = load;
    const count = (
      counted: LoadRun["accountings"],
    ): Pick<RunState["accounting"], "iterations" | "requests"> => ({
      iterations: accountIterations(counted),
      requests: accountRequests(counted),
    });
    return {
      durationMs: this.durationMs,
      begun: begunIterations(load.counts),
      workers: load.workers.map(({ id, lost, isRunning }) => ({ id, lost, isRunning })),
      accounting: {
        ...count(accountings),
        ...stages,
        warmup: warmupAccountings.length === 0 ? null : count(warmupAccountings),
      },
    };
  }
}
