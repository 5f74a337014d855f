import type { Scope } from "@bearhug/metrics/scope";
import type { Client, Ledger, Place } from "@bearhug/plan/clients/client";
import type { IterationCaller, IterationStart } from "@bearhug/plan/executors/scenario-share";
import type { ScenarioRow } from "@bearhug/plan/protocol/shared-accounting";
import type { AnyContext } from "@bearhug/sdk/internal";

import type { Engine } from "./engine.ts";
import type { IterationSamples } from "./iteration-samples.ts";
import { vuStateContextOf } from "./scenario-context.ts";
import { isCausedByStop } from "./caused-by-stop.ts";
import type { RunOwned, UnhandledError } from "./current.ts";
import { describeThrown } from "./stack-position.ts";
import {
  type MistakeOrigin,
  noteCaught,
  noteUnhandledError,
  noteUnawaited,
  noteUnfired,
  withoutCauses,
} from "./unhandled-errors.ts";
import { TestAborted } from "./test-aborted.ts";
import type { Stoppable, Vu } from "./vu.ts";
import { isPause, type WatchedCall } from "./watched-calls.ts";

/** The scenario of an iteration, with the places where its outcome is recorded. */
export interface IteratedScenario {
  readonly name: string;
  /** Its number in the plan. */
  readonly index: number;
  readonly exec: (context: AnyContext) => unknown;
  readonly runOwned: RunOwned;
  readonly ledger: Ledger;
  /** The scenario's row in the ledger's accounting. */
  readonly counts: ScenarioRow;
  readonly root: Place;
  /** The scope of requests that make VU states, which are recorded apart. */
  readonly stateScope: Scope;
  readonly samples: IterationSamples;
  /**
   * Records the time of its virtual users in the measured load, also of an iteration of the warm-up that runs
   * on: one that hangs would otherwise hide until the end.
   */
  readonly times: IterationSamples;
  readonly iterationIndexes: { readonly offset: number; readonly stride: number };
}

/** After the hard stop, an iteration whose code does not end is abandoned after this time. */
const abandonedAfterMs = 250;

/** Runs `exec` once and counts how it ended, then notifies `caller`. What a test throws is data. */
export function runIteration(
  engine: Engine,
  scenario: IteratedScenario,
  vu: Vu,
  context: AnyContext,
  start: IterationStart,
  caller: IterationCaller,
): void {
  new RunningIteration(engine, scenario, vu, start, caller).run(context);
}

type Ending =
  | { readonly kind: "completed" }
  | { readonly kind: "interrupted" }
  /** One of its requests had no response when the graceful stop ran out. */
  | { readonly kind: "unanswered" }
  | { readonly kind: "failed"; readonly error: unknown };

/**
 * An iteration ends when `exec` and every request that it started have settled, or when it is abandoned after
 * the hard stop. A class, because there are tens of thousands a second: closures and promises would be a good
 * part of their cost.
 */
class RunningIteration implements Stoppable {
  readonly #engine: Engine;
  readonly #scenario: IteratedScenario;
  readonly #vu: Vu;
  readonly #start: IterationStart;
  readonly #caller: IterationCaller;
  readonly #startedMs: number;
  /** The time spent making the VU's state, which does not count as the iteration's. */
  #preparedMs = 0;
  /** True until the state is made, so also after `vuState` failed. */
  #lacksState = false;
  /** `exec` or `vuState` has returned, perhaps with a promise. */
  #hasReturned = false;
  #isOver = false;
  /** An error of its code was not handled, or a pause not awaited. */
  #hasMistake = false;
  /** Errors that bearhug threw into its code. */
  #faults: Error[] | null = null;
  /** It was recorded as completed. */
  #hasCompleted = false;

  constructor(
    engine: Engine,
    scenario: IteratedScenario,
    vu: Vu,
    start: IterationStart,
    caller: IterationCaller,
  ) {
    this.#engine = engine;
    this.#scenario = scenario;
    this.#vu = vu;
    this.#start = start;
    this.#caller = caller;
    this.#startedMs = engine.clock.now();
  }

  run(context: AnyContext): void {
    this.#begin();
    const { vuState } = this.#engine.test;
    const variant = this.#scenario.root.turn?.variant ?? null;
    if (vuState === undefined || this.#vu.states.turnTo(variant)) this.#runExec(context);
    else this.#makeState(vuState, context);
    this.#hasReturned = true;
  }

  /**
   * Makes the VU's state before its first iteration. If that fails, so does the iteration, and the next one
   * tries again.
   */
  #makeState(vuState: NonNullable<Engine["test"]["vuState"]>, context: AnyContext): void {
    const { root, stateScope } = this.#scenario;
    this.#vu.startIteration(this, { ...root, scope: stateScope, isVuState: true }, this.#startedMs, null);
    this.#lacksState = true;
    const onMade = (state: unknown): void => {
      if (this.#isOver) return;
      this.#lacksState = false;
      this.#vu.states.keep(state);
      for (const client of this.#vu.clients) client.stateMade?.();
      this.#vu.endIteration();
      this.#preparedMs = this.#engine.clock.now() - this.#startedMs;
      this.#runExec(context);
    };
    const onError = (error: unknown): void => {
      this.#settle({ kind: "failed", error });
    };
    let made: unknown;
    try {
      made = this.#call(vuState, vuStateContextOf(context));
      if (typeof made === "object" && made !== null && "then" in made) {
        Promise.resolve(made).then(onMade, onError);
        return;
      }
    } catch (error) {
      onError(error);
      return;
    }
    // Without awaiting it, because thousands of virtual users may begin at once.
    onMade(made);
  }

  #runExec(context: AnyContext): void {
    const { root } = this.#scenario;
    const { intendedMs } = this.#start;
    const latenessMs = intendedMs === null ? null : this.#startedMs - intendedMs;
    this.#vu.startIteration(this, root, this.#startedMs + this.#preparedMs, latenessMs);
    recordLateness(root.scope, this.#start, this.#startedMs);
    const onEnd = (): void => {
      this.#settle(completed);
    };
    const onError = (error: unknown): void => {
      this.#settle({ kind: "failed", error });
    };
    try {
      // Inside the `try`: the returned value may have a `then` that throws.
      Promise.resolve(this.#call(this.#scenario.exec, context)).then(onEnd, onError);
    } catch (error) {
      onError(error);
    }
  }

  #call<Given>(code: (given: Given) => unknown, given: Given): unknown {
    return this.#engine.followsCode ? this.#scenario.runOwned(this, code, given) : code(given);
  }

  get clients(): readonly Client[] {
    return this.#vu.clients;
  }

  /** Fails the iteration, even if it is already over: the error came from its code. */
  onUnhandledError({ code, error }: UnhandledError): void {
    noteUnhandledError(this.#engine, error, { code, what: null, ...this.#origin() });
    this.#hasMistake = true;
    this.#faults = withoutCauses(this.#faults, error);
    if (this.#hasCompleted) this.#failLate();
  }

  onUnfiredTimer(at: Error): void {
    noteUnfired(this.#engine, at, this.#origin());
  }

  /** Names the iteration, and its place for errors, in a report of a mistake. */
  #origin(): MistakeOrigin {
    const { name, ledger } = this.#scenario;
    return { name: this.#engine.mask.hide(name), errors: ledger.errors };
  }

  onFault(fault: Error): void {
    this.#faults ??= [];
    if (this.#faults.length < maxFaults) this.#faults.push(fault);
  }

  #failLate(): void {
    const { ledger, samples } = this.#scenario;
    this.#hasCompleted = false;
    ledger.accounting.iterationFailedLate();
    samples.correct();
  }

  onStop(): void {
    const { clock } = this.#engine;
    clock.at(clock.now() + abandonedAfterMs, () => {
      if (this.#isOver) return;
      // Its code may try again and again, for as long as its calls are rejected.
      this.#vu.isAbandoned = true;
      this.#finish({ kind: "interrupted" });
    });
  }

  #begin(): void {
    const { accounting } = this.#engine;
    const { index, ledger, counts, iterationIndexes } = this.#scenario;
    const { number } = this.#start;
    const vu = this.#vu;
    accounting.vuActive(index);
    ledger.accounting.iterationStarted();
    counts.started();
    vu.iterations++;
    vu.iterationNumber = number;
    vu.iterationIndex = iterationIndexes.offset + number * iterationIndexes.stride;
  }

  #settle(ending: Ending): void {
    if (this.#vu.isIdle) this.#classify(ending);
    else
      void this.#vu.idle().then(() => {
        this.#classify(ending);
      });
  }

  #classify(ending: Ending): void {
    const isInterrupted = ending.kind === "failed" && wasInterrupted(this.#vu, ending.error);
    this.#finish(isInterrupted ? { kind: "interrupted" } : ending);
  }

  #finish(ending: Ending): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const unawaited = this.#vu.takeUnawaited();
    if (ending.kind === "completed" && unawaited.length > 0) this.#noteUnawaited(unawaited);
    if (this.#faults !== null && !this.#vu.isStopped) this.#noteCaughtLater(ending);
    this.#vu.endIteration();
    this.#engine.accounting.vuIdle();
    this.#record(this.#vu.hasUnanswered && ending.kind !== "failed" ? unanswered : ending);
    // Otherwise the next iteration would start inside this one.
    if (this.#hasReturned) this.#caller.onIterationEnded();
    else
      queueMicrotask(() => {
        this.#caller.onIterationEnded();
      });
  }

  /**
   * Reports calls that the test did not await. An unawaited pause fails the iteration, because it makes more
   * load than the test describes; an unawaited page only runs in parallel with the code after it.
   */
  #noteUnawaited(calls: readonly WatchedCall[]): void {
    for (const call of calls) {
      this.#hasMistake ||= isPause(call);
      noteUnawaited(this.#engine, call, this.#origin());
    }
  }

  /**
   * Reports mistakes whose error the test caught, which would otherwise leave no trace. Waits for the next
   * turn, because only then has Node reported the errors that nothing caught.
   */
  #noteCaughtLater(ending: Ending): void {
    this.#engine.clock.nextTurn(() => {
      const caught = ending.kind === "failed" ? withoutCauses(this.#faults, ending.error) : this.#faults;
      for (const fault of caught ?? []) noteCaught(this.#engine, fault, this.#origin());
    });
  }

  #record(ending: Ending): void {
    const { ledger, counts, samples, times, root } = this.#scenario;
    const endedMs = this.#engine.clock.now();
    this.#vu.time.spend(this.#startedMs, endedMs);
    times.recordTime(this.#vu.time.take());
    if (ending.kind === "interrupted") {
      ledger.accounting.add("iterationsInterrupted");
      counts.add("interrupted");
      return;
    }
    const hasFailed = ending.kind !== "completed" || this.#hasMistake;
    this.#hasCompleted = !hasFailed;
    const preparedMs = this.#lacksState ? endedMs - this.#startedMs : this.#preparedMs;
    const durationMs = endedMs - this.#startedMs - preparedMs;
    root.turn?.tally?.addIteration(durationMs);
    samples.record({
      hasFailed,
      isCutOff: this.#vu.hasUnanswered,
      durationMs,
      responseTimeMs: endedMs - (this.#start.intendedMs ?? this.#startedMs) - preparedMs,
    });
    if (hasFailed) ledger.accounting.add("iterationsFailed");
    else ledger.accounting.iterationCompleted();
    counts.ended();
    if (ending.kind === "failed") recordThrown(this.#engine, this.#scenario, ending.error, endedMs);
  }
}

/** The most faults kept of one iteration: further ones would add nothing. */
const maxFaults = 100;

const completed: Ending = { kind: "completed" };
const unanswered: Ending = { kind: "unanswered" };

function wasInterrupted(vu: Vu, error: unknown): boolean {
  return TestAborted.isTestAborted(error) || (vu.isStopped && isCausedByStop(error));
}

function recordLateness(root: Scope, { intendedMs, offeredMs }: IterationStart, startedMs: number): void {
  if (intendedMs === null || offeredMs === null) return;
  const { series } = root;
  series.trend("schedule_lag").add(Math.max(0, offeredMs - intendedMs));
  series.trend("vu_wait").add(Math.max(0, startedMs - offeredMs));
}

function recordThrown(
  engine: Engine,
  { name, ledger }: IteratedScenario,
  error: unknown,
  atMs: number,
): void {
  const { message, position } = describeThrown(error, engine.bundlePath);
  const firstAtMs = atMs - engine.startedAtMs;
  ledger.errors.add({
    code: "TEST_THREW",
    cause: null,
    name: engine.mask.hide(name),
    message: () => message.masked(engine.mask),
    firstAtMs,
    position,
  });
}
