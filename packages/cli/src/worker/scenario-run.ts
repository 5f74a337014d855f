import type { AnyScenario } from "@bearhug/sdk";

import type { DrivenVu, IterationStart, ScenarioShare } from "../executors/executor.ts";
import { runExecutor } from "../executors/run-executor.ts";
import { ConnectionPool } from "../http/connection-pool.ts";
import { Scope } from "../metrics/scope.ts";
import { activeMs } from "../pacing/scenario-times.ts";
import type { Stripe } from "../pacing/stripe.ts";
import type { StopMode } from "../protocol/messages.ts";
import type { PlannedScenario } from "../protocol/plan.ts";
import type { SharedTickets } from "../protocol/shared-tickets.ts";
import type { Engine } from "./engine.ts";
import { runIteration, type IteratedScenario } from "./iteration.ts";
import { createContext, type ScenarioFacts, type VuContext } from "./scenario-context.ts";
import { Vu } from "./vu.ts";

/** One worker's share of one scenario, from its start to the end of its last iteration. */
export class ScenarioRun {
  readonly #engine: Engine;
  readonly #planned: PlannedScenario;
  readonly #index: number;
  readonly #stripe: Stripe;
  readonly #tickets: SharedTickets;
  readonly #facts: ScenarioFacts;
  readonly #iterated: IteratedScenario;
  readonly #vus: Vu[] = [];
  readonly #overCallbacks: (() => void)[] = [];
  readonly #timers: (() => void)[] = [];
  #isOver = false;
  #hasEnded = false;

  constructor(
    engine: Engine,
    planned: PlannedScenario,
    index: number,
    definition: AnyScenario,
    stripe: Stripe,
    tickets: SharedTickets,
  ) {
    const { name, executor, env, tags } = planned.scenario;
    this.#engine = engine;
    this.#planned = planned;
    this.#index = index;
    this.#stripe = stripe;
    this.#tickets = tickets;
    this.#facts = { name, executor, env: { ...engine.plan.env, ...env } };
    const root = new Scope(engine.registry, { ...engine.plan.tags, ...tags, scenario: name });
    const { iterationIndexes } = planned;
    this.#iterated = { name, root, iterationIndexes, exec: (context) => definition.exec(context) };
  }

  /** Resolves when the share's iterations have all ended, by themselves or by the hard stop. */
  async run(runStartMs: number): Promise<void> {
    const { scenario } = this.#planned;
    const { clock } = this.#engine;
    const startMs = runStartMs + scenario.startTimeMs;
    const endMs = startMs + activeMs(scenario);
    this.#timers.push(
      clock.at(endMs, () => {
        this.stop("graceful");
      }),
    );
    await this.#until(startMs);
    if (!this.#isOver) await runExecutor(scenario, this.#share(startMs));
    for (const cancel of this.#timers) cancel();
    this.#hasEnded = true;
    // What a test left running behind its iterations is interrupted and counted as such.
    for (const vu of this.#vus) {
      vu.stop();
      vu.pool.close();
    }
  }

  stop(mode: StopMode): void {
    if (this.#hasEnded) return;
    this.#isOver = true;
    for (const callback of this.#overCallbacks.splice(0)) callback();
    if (mode === "hard") for (const vu of this.#vus) vu.stop();
    else this.#stopHardLater();
  }

  #stopHardLater(): void {
    const { clock } = this.#engine;
    const cancel = clock.at(clock.now() + this.#planned.scenario.gracefulStopMs, () => {
      this.stop("hard");
    });
    this.#timers.push(cancel);
  }

  #until(atMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#timers.push(this.#engine.clock.at(atMs, resolve));
      this.#overCallbacks.push(resolve);
    });
  }

  #share(startMs: number): ScenarioShare {
    const isOver = (): boolean => this.#isOver;
    return {
      clock: this.#engine.clock,
      stripe: this.#stripe,
      startMs,
      createVu: (number) => this.#createVu(number),
      drop: () => {
        this.#engine.accounting.add("iterationsDropped");
        this.#iterated.root.series.counter("dropped_iterations").add(1);
      },
      spun: (durationMs) => {
        this.#engine.loopWatch.addSpin(durationMs);
      },
      drawTicket: (limit) => this.#tickets.draw(this.#index, limit),
      get isOver() {
        return isOver();
      },
      onOver: (callback) => {
        if (this.#isOver) callback();
        else this.#overCallbacks.push(callback);
      },
    };
  }

  #createVu(number: number): DrivenVu {
    const { clock, connect, accounting } = this.#engine;
    const id = this.#planned.vuIdOffset + number + 1;
    const vu = new Vu(id, clock, this.#iterated.root, new ConnectionPool(connect));
    this.#vus.push(vu);
    accounting.add("vusInitialized");
    let context: VuContext | null = null;
    return {
      iterate: (start) =>
        this.#iterate(vu, (context ??= createContext(this.#engine, vu, this.#facts)), start),
    };
  }

  async #iterate(vu: Vu, context: VuContext, start: IterationStart): Promise<void> {
    const { accounting } = this.#engine;
    accounting.set("scenarioIndex", this.#index);
    accounting.add("vusActive");
    await runIteration(this.#engine, this.#iterated, vu, context, start);
    accounting.add("vusActive", -1);
  }
}
