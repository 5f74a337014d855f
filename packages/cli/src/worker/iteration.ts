import { StopSignal } from "@bearhug/sdk";

import type { IterationStart } from "../executors/executor.ts";
import type { Engine, Recording } from "./engine.ts";
import type { VuContext } from "./scenario-context.ts";
import { describeThrown } from "./stack-position.ts";
import { TestAborted } from "./test-aborted.ts";
import type { SessionPlace } from "../http/session/session.ts";
import type { Vu } from "./vu.ts";
import type { Scope } from "../metrics/scope.ts";

/** A scenario as its iterations see it. */
export interface IteratedScenario {
  readonly name: string;
  /** Its number in the plan. */
  readonly index: number;
  readonly exec: (context: VuContext) => unknown;
  readonly recording: Recording;
  readonly root: SessionPlace;
  readonly iterationIndexes: { readonly offset: number; readonly stride: number };
}

/** How long code that the hard stop has interrupted may take to end before it is given up. */
const abandonedAfterMs = 250;

/** Runs `exec` once and counts how it ended. Never rejects: what a test throws is data. */
export async function runIteration(
  engine: Engine,
  scenario: IteratedScenario,
  vu: Vu,
  context: VuContext,
  start: IterationStart,
): Promise<void> {
  const { clock } = engine;
  const { accounting } = scenario.recording;
  engine.accounting.set("scenarioIndex", scenario.index);
  engine.accounting.add("vusActive");
  const startedMs = clock.now();
  accounting.add("iterationsStarted");
  const { offset, stride } = scenario.iterationIndexes;
  context.iteration = { index: offset + start.number * stride, indexInVu: vu.iterations++ };
  vu.root = scenario.root;
  vu.latenessMs = start.intendedMs === null ? null : startedMs - start.intendedMs;
  vu.ownTags.clear();
  vu.visitor.startIteration();
  recordLateness(scenario.root.scope, start, startedMs);
  const ending = await endOf(vu, clock, () => scenario.exec(context));
  const endedMs = clock.now();
  engine.accounting.add("vusActive", -1);
  if (ending.kind === "interrupted") {
    accounting.add("iterationsInterrupted");
    return;
  }
  const { series } = scenario.root.scope;
  series.counter("iterations").add(1);
  series.trend("iteration_duration").add(endedMs - startedMs);
  series.trend("iteration_response_time").add(endedMs - (start.intendedMs ?? startedMs));
  series.rate("iteration_failed").add(ending.kind === "failed");
  if (ending.kind === "completed") {
    accounting.add("iterationsCompleted");
    return;
  }
  accounting.add("iterationsFailed");
  recordThrown(engine, scenario, ending.error, endedMs);
}

type Ending =
  | { readonly kind: "completed" }
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly error: unknown };

/** An iteration ends when `exec` and every request that it started have settled, or when it is given up after the hard stop. */
function endOf(vu: Vu, clock: Engine["clock"], exec: () => unknown): Promise<Ending> {
  return new Promise((resolve) => {
    const finish = (ending: Ending): void => {
      vu.onStop = null;
      resolve(ending);
    };
    vu.onStop = () => {
      clock.at(clock.now() + abandonedAfterMs, () => {
        finish({ kind: "interrupted" });
      });
    };
    const judge = (ending: Ending): void => {
      finish(ending.kind === "failed" && wasInterrupted(vu, ending.error) ? { kind: "interrupted" } : ending);
    };
    const settle = (ending: Ending): void => {
      if (vu.isIdle) judge(ending);
      else
        void vu.idle().then(() => {
          judge(ending);
        });
    };
    let outcome: Promise<unknown>;
    try {
      outcome = Promise.resolve(exec());
    } catch (error) {
      settle({ kind: "failed", error });
      return;
    }
    outcome.then(
      () => {
        settle(completed);
      },
      (error: unknown) => {
        settle({ kind: "failed", error });
      },
    );
  });
}

const completed: Ending = { kind: "completed" };

function wasInterrupted(vu: Vu, error: unknown): boolean {
  return (
    error instanceof TestAborted || (vu.isStopped && (error instanceof StopSignal || isCausedByStop(error)))
  );
}

function isCausedByStop(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof StopSignal;
}

function recordLateness(root: Scope, { intendedMs, offeredMs }: IterationStart, startedMs: number): void {
  if (intendedMs === null || offeredMs === null) return;
  const { series } = root;
  series.trend("schedule_lag").add(Math.max(0, offeredMs - intendedMs));
  series.trend("vu_wait").add(Math.max(0, startedMs - offeredMs));
}

function recordThrown(
  engine: Engine,
  { name, recording }: IteratedScenario,
  error: unknown,
  atMs: number,
): void {
  const { message, position } = describeThrown(error, engine.bundlePath);
  const firstAtMs = atMs - engine.startedAtMs;
  recording.errors.add({ code: "TEST_THREW", cause: null, message, name, firstAtMs, position });
}
