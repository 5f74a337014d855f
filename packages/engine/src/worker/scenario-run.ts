import { Scope } from "@bearhug/metrics/scope";
import type { Tags } from "@bearhug/metrics/tags";
import type { ExpiredGrace, Ledger, OpenClient } from "@bearhug/plan/clients/client";
import { activeMs, isTimed, modelOf } from "@bearhug/plan/executors/load-models";
import {
  openModelDrops,
  type DrivenVu,
  type IterationCaller,
  type IterationStart,
  type ScenarioShare,
} from "@bearhug/plan/executors/scenario-share";
import { randomSource } from "@bearhug/plan/pacing/random-source";
import type { StripePlace } from "@bearhug/plan/pacing/stripe";
import type { StopMode } from "@bearhug/plan/protocol/messages";
import type { PlannedScenario } from "@bearhug/plan/protocol/plan";
import type { SharedTickets } from "@bearhug/plan/protocol/shared-tickets";
import type { Scenario } from "@bearhug/sdk";
import type { AnyContext } from "@bearhug/sdk/internal";
import { secretsIn } from "@bearhug/text/data-secrets";

import { clientsFor, type Engine } from "./engine.ts";
import { runOwnedHere } from "./current.ts";
import { declaredEnv } from "./known-names.ts";
import { iterationsBeforeEnd, ScenarioFeeds, type OnRow } from "./feed-handles.ts";
import { IterationSamples } from "./iteration-samples.ts";
import { runIteration, type IteratedScenario } from "./iteration.ts";
import { createContext, type ScenarioInfo } from "./scenario-context.ts";
import { TurnedScenario } from "./turned-scenario.ts";
import { Vu } from "./vu.ts";
import { openSpan } from "./vu-time.ts";

/**
 * Returns a callback that masks the secrets of each row on use; null if all of them are masked from the
 * start.
 */
function rowWatch({ mask, feeds }: Engine): OnRow | null {
  if (feeds.hasAllSecrets && !mask.isGivenFull) return null;
  return (row, feed) => {
    for (const secret of secretsIn(row, feed)) mask.seen.add(secret);
  };
}

/** One worker's share of one scenario, from its start to the end of its last iteration. */
export class ScenarioRun {
  readonly #engine: Engine;
  readonly #planned: PlannedScenario;
  readonly #index: number;
  readonly #place: StripePlace;
  readonly #tickets: SharedTickets;
  readonly #info: ScenarioInfo;
  /** The number of iterations, over all workers, that the rows of the feeds suffice for. */
  readonly #iterationLimit: number;
  readonly #measured: IteratedScenario;
  readonly #warmup: IteratedScenario | null;
  /** Null without variants. */
  readonly #turned: TurnedScenario | null;
  readonly #openClients: readonly OpenClient[];
  readonly #vus = new Set<Vu>();
  readonly #stopCallbacks: (() => void)[] = [];
  readonly #timers: (() => void)[] = [];
  readonly #span = openSpan();
  #beganMs = 0;
  #isOver = false;
  #isStopped = false;
  /**
   * A person, the test or a threshold ended the run: requests cut off from now on are not the target's fault.
   */
  #isInterrupted = false;
  #hasEnded = false;
  #hasUsedUpRows = false;
  readonly #vuRuns: VuRuns = {
    contextOf: (vu) => createContext(this.#engine, vu, this.#info),
    iterate: (vu, context, start, caller) =>
      runIteration(this.#engine, this.#scenarioFor(start.intendedMs), vu, context, start, caller),
    retire: (vu, rampDownMs) =>
      this.#retire(vu, rampDownMs === null ? null : this.#graceOver("gracefulRampDown", rampDownMs)),
  };

  constructor(
    engine: Engine,
    planned: PlannedScenario,
    index: number,
    definition: Scenario<AnyContext>,
    place: StripePlace,
    tickets: SharedTickets,
  ) {
    const { name, executor, env, tags } = planned.scenario;
    this.#engine = engine;
    this.#planned = planned;
    this.#index = index;
    this.#place = place;
    this.#tickets = tickets;
    const feeds = new ScenarioFeeds(engine.feeds.rows, planned.feeds, engine.plan.seed, rowWatch(engine));
    this.#info = { name, executor, env: declaredEnv({ ...engine.plan.env, ...env }), feeds };
    this.#iterationLimit = iterationsBeforeEnd(planned.feeds);
    this.#openClients = clientsFor(engine, planned.scenario);
    const runOwned = runOwnedHere();
    const createScenario = (ledger: Ledger, variant: Tags = {}): IteratedScenario => {
      const { registry } = ledger;
      const ownTags = registry.ownTags.admit({ ...engine.plan.tags, ...tags }, {});
      const scope = new Scope(registry, { ...ownTags, scenario: name, ...variant });
      const samples = new IterationSamples(scope);
      return {
        name,
        index,
        ledger,
        counts: ledger.accounting.scenario(index),
        stateScope: new Scope((engine.vuState ?? ledger).registry, { scenario: name }),
        root: { scope, page: null, visit: null, isWarmup: ledger === engine.warmup, turn: null },
        samples,
        times: ledger === engine.warmup ? createScenario(engine, variant).samples : samples,
        iterationIndexes: planned.iterationIndexes,
        exec: (context) => definition.exec(context),
        runOwned,
      };
    };
    this.#measured = createScenario(engine);
    this.#warmup = engine.warmup === null ? null : createScenario(engine.warmup);
    this.#turned = engine.turns === null ? null : new TurnedScenario(engine.turns, createScenario);
  }

  /**
   * Resolves when the share's iterations have all ended, by themselves or by the hard stop.
   * @param beganMs when this machine began, if that was later than the start
   */
  async run(runStartMs: number, beganMs: number = runStartMs): Promise<void> {
    this.#beganMs = beganMs;
    if (this.#warmup !== null) this.#span.beginMs = this.#engine.startedAtMs;
    const { scenario } = this.#planned;
    const { clock } = this.#engine;
    const startMs = runStartMs + scenario.startTimeMs;
    const endMs = startMs + activeMs(scenario);
    this.#timers.push(
      clock.at(endMs, () => {
        this.#end(endMs);
        this.#stopHardLater();
      }),
    );
    await this.#until(startMs);
    // A machine that begins after the end still counts the iterations that were due as dropped.
    if (!this.#isOver || beganMs >= endMs) {
      this.#countFromZero();
      await modelOf(scenario).run(scenario, this.#share(startMs));
    }
    // The time after the last iteration is part of the load: rates are over the whole duration.
    if (!this.#isOver && isTimed(scenario) && !this.#hasUsedUpRows) await this.#until(endMs);
    for (const cancel of this.#timers) cancel();
    this.#hasEnded = true;
    // Requests that a test left running after its iterations are interrupted and counted as such.
    for (const vu of this.#vus) this.#retire(vu, null);
  }

  stop(mode: StopMode): void {
    if (this.#hasEnded) return;
    this.#isInterrupted ||= mode !== "enough";
    this.#isStopped ||= !this.#isOver;
    this.#end(this.#engine.clock.now());
    if (mode === "hard") this.#stopHard();
    else {
      this.#releaseWaiting();
      this.#stopHardLater();
    }
  }

  /**
   * Ends the starting of iterations, and wakes virtual users that back off: they have nothing to wait for.
   */
  #end(atMs: number): void {
    this.#isOver = true;
    this.#span.endMs = Math.min(this.#span.endMs, atMs);
    for (const vu of this.#vus) vu.backOff.wake();
  }

  #stopHardLater(): void {
    const { clock } = this.#engine;
    const cancel = clock.at(clock.now() + this.#planned.scenario.gracefulStopMs, () => this.#stopHard());
    this.#timers.push(cancel);
  }

  #stopHard(): void {
    this.#releaseWaiting();
    const grace = this.#graceOver("gracefulStop", this.#planned.scenario.gracefulStopMs);
    for (const vu of this.#vus) vu.stopWaiting(grace);
    for (const vu of this.#vus) vu.stop(grace);
  }

  /** Ends every wait for a due time, a virtual user or the start. */
  #releaseWaiting(): void {
    for (const callback of this.#stopCallbacks.splice(0)) callback();
  }

  #graceOver(option: ExpiredGrace["option"], graceMs: number): ExpiredGrace | null {
    return this.#isInterrupted ? null : { option, graceMs };
  }

  #until(atMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#timers.push(this.#engine.clock.at(atMs, resolve));
      this.#stopCallbacks.push(resolve);
    });
  }

  /** Adds 0 to each counter, so that a threshold on it can be evaluated even if nothing happened. */
  #countFromZero(): void {
    const { scope } = this.#measured.root;
    if ("maxVUs" in this.#planned.scenario)
      for (const reason of openModelDrops) scope.seriesWith({ reason }).counter("dropped_iterations").add(0);
    for (const [name, { type }] of Object.entries(this.#engine.plan.metrics))
      if (type === "counter") scope.series.counter(name).add(0);
  }

  /**
   * Returns the recording scenario of an iteration. One that was due in the warm-up belongs to it as a whole.
   */
  #scenarioFor(dueMs: number | null): IteratedScenario {
    const { clock, startedAtMs, warmup } = this.#engine;
    if (this.#warmup === null && this.#turned === null) return this.#measured;
    const atMs = (dueMs ?? clock.now()) - startedAtMs;
    const isWarmup = atMs < 0;
    if (this.#turned === null) return (isWarmup ? this.#warmup : null) ?? this.#measured;
    return this.#turned.at(atMs, (isWarmup ? warmup : null) ?? this.#engine);
  }

  #share(startMs: number): ScenarioShare {
    const { clock, loopWatch, plan } = this.#engine;
    return {
      clock,
      place: this.#place,
      startMs,
      beganMs: this.#beganMs,
      iterationLimit: this.#iterationLimit,
      reportLimitReached: () => {
        this.#hasUsedUpRows = true;
      },
      createVu: (number) => this.#createVu(number),
      drop: (count, dueMs, reason) => {
        if (count === 0) return;
        const { ledger, counts, root } = this.#scenarioFor(dueMs);
        ledger.accounting.add("iterationsDropped", count);
        counts.add("dropped", count);
        root.scope.seriesWith({ reason }).counter("dropped_iterations").add(count);
        // Otherwise a generator that drops what it is late for would look punctual.
        if (reason === "late" && dueMs !== null)
          root.scope.series.trend("schedule_lag").add(clock.now() - dueMs);
      },
      reportWait: (durationMs, isNap) => loopWatch.addSpin(durationMs, isNap),
      drawTicket: (limit) => this.#tickets.draw(this.#index, limit),
      hasTicket: (limit) => this.#tickets.isLeft(this.#index, limit),
      drawRemainingTickets: (limit) => this.#tickets.drawRemaining(this.#index, limit),
      // VUs use the streams of their ids, which are positive.
      arrivalSource: () => randomSource(plan.seed, -1 - this.#index),
      isOver: () => this.#isOver,
      isStopped: () => this.#isStopped,
      onStop: (callback) => {
        if (this.#isStopped) callback();
        else this.#stopCallbacks.push(callback);
      },
    };
  }

  #createVu(number: number): DrivenVu {
    const { clock, accounting } = this.#engine;
    const id = this.#planned.vuIdOffset + number + 1;
    const vu = new Vu(id, clock, this.#measured.root, this.#openClients, {
      index: number,
      span: this.#span,
    });
    this.#vus.add(vu);
    accounting.add("vusInitialized");
    return new VuOfScenario(vu, this.#vuRuns);
  }

  #retire(vu: Vu, grace: ExpiredGrace | null): void {
    if (!this.#vus.delete(vu)) return;
    vu.retire(grace);
    this.#measured.samples.recordTime(vu.time.take());
    if (!this.#hasEnded) this.#engine.accounting.add("vusInitialized", -1);
  }
}

/** The functions that the virtual users of a scenario share. */
interface VuRuns {
  readonly contextOf: (vu: Vu) => AnyContext;
  readonly iterate: (vu: Vu, context: AnyContext, start: IterationStart, caller: IterationCaller) => void;
  readonly retire: (vu: Vu, rampDownMs: number | null) => void;
}

/**
 * A virtual user, for executors. A class, because functions of its own would be further objects in memory that
 * each iteration reads, and with many virtual users none of them is in the processor's cache.
 */
class VuOfScenario implements DrivenVu {
  readonly #vu: Vu;
  readonly #runs: VuRuns;
  #context: AnyContext | null = null;

  constructor(vu: Vu, runs: VuRuns) {
    this.#vu = vu;
    this.#runs = runs;
  }

  iterate(start: IterationStart, caller: IterationCaller): void {
    this.#context ??= this.#runs.contextOf(this.#vu);
    this.#runs.iterate(this.#vu, this.#context, start, caller);
  }

  rest(): Promise<void> | null {
    return this.#vu.backOff.rest();
  }

  wake(): void {
    this.#vu.backOff.wake();
  }

  retire(rampDownMs: number | null): void {
    this.#runs.retire(this.#vu, rampDownMs);
  }
}
