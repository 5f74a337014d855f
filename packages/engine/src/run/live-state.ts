import type { Clock } from "@bearhug/plan/pacing/clock";
import type { Mask } from "@bearhug/text/secret-mask";

import { accountIterations, accountRequests, accountStages } from "../outcome/account.ts";
import { maskState } from "../outcome/mask-inputs.ts";
import type { RecordedProgress } from "../outcome/run-record.ts";
import { initialState, type RunState, type StageFailure } from "../outcome/run-state.ts";
import type { DefinitionSession } from "./definition-session.ts";
import type { Interruptions } from "./interruptions.ts";
import type { LoadRun } from "./load-run.ts";

export interface LiveStateParts {
  readonly clock: Clock;
  readonly interruptions: Interruptions;
  readonly definition: DefinitionSession;
  readonly mask: Mask;
}

/** The state of a run that goes on: events are set as they come, and what is counted elsewhere is read when asked for. */
export class LiveState {
  readonly #parts: LiveStateParts;
  #set: RunState = initialState;
  #load: LoadRun | null = null;
  #areSignalsOver = false;

  constructor(parts: LiveStateParts) {
    this.#parts = parts;
  }

  set(changes: Partial<RunState>): void {
    this.#set = { ...this.#set, ...changes };
  }

  fail(failure: StageFailure): void {
    this.set({ failures: [...this.#set.failures, failure] });
  }

  /** The first reason counts. */
  abort(reason: string): void {
    this.set({ abortReason: this.#set.abortReason ?? reason });
  }

  /** From now on there is a load; null takes back one that was not started. */
  watch(load: LoadRun | null): void {
    this.#load = load;
  }

  get workersRunning(): number {
    return this.#load?.workers.filter(({ isRunning }) => isRunning).length ?? 0;
  }

  /** Null without a load. */
  get progress(): RecordedProgress | null {
    if (this.#load === null) return null;
    const { measured, warmup, receivedBytes } = this.#load.counts;
    return { receivedBytes, scenarios: measured.scenarios, warmup: warmup.scenarios };
  }

  /** Returns what became of the load; signals that come later are teardown's. */
  endLoad(): RunState {
    this.set({ interruptedBy: this.#parts.interruptions.signal });
    this.#areSignalsOver = true;
    return this.now();
  }

  /** The state at this moment, without secrets. What still runs counts as lost, since nothing more may be told. */
  now(): RunState {
    const { interruptions, definition, mask } = this.#parts;
    const state: RunState = {
      ...this.#set,
      ...this.#readLoad(),
      interruptedBy: this.#areSignalsOver ? this.#set.interruptedBy : interruptions.signal,
      unmeasured: definition.unmeasured.all(),
    };
    return maskState(state, mask.hide);
  }

  #readLoad(): Pick<RunState, "accounting" | "durationMs" | "workers"> {
    const load = this.#load;
    const stages = accountStages(this.#parts.definition, load?.vuStateAccountings ?? []);
    if (load === null)
      return { durationMs: 0, workers: [], accounting: { ...initialState.accounting, ...stages } };
    const { accountings, warmupAccountings, measuredFromMs } = load;
    const endMs = load.endedAtMs === 0 ? this.#parts.clock.now() : load.endedAtMs;
    const count = (
      counted: LoadRun["accountings"],
    ): Pick<RunState["accounting"], "iterations" | "requests"> => ({
      iterations: accountIterations(counted),
      requests: accountRequests(counted),
    });
    return {
      durationMs: measuredFromMs === 0 ? 0 : Math.max(0, endMs - measuredFromMs),
      workers: load.workers.map(({ id, lost, isRunning }) => ({ id, lost, isRunning })),
      accounting: {
        ...count(accountings),
        ...stages,
        warmup: warmupAccountings.length === 0 ? null : count(warmupAccountings),
      },
    };
  }
}
