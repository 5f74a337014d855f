import { Scope } from "@bearhug/metrics/scope";
import type { Tracer } from "@bearhug/plan/clients/tracer";
import { systemClock } from "@bearhug/plan/pacing/clock";
import type {
  DefinitionWorkerStart,
  FailedRequest,
  FromDefinitionWorker,
  ToDefinitionWorker,
  WorkerPort,
} from "@bearhug/plan/protocol/messages";
import type { RunPlan } from "@bearhug/plan/protocol/plan";
import { SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import { noFeeds } from "@bearhug/plan/protocol/shared-feeds";
import { bundlePathOf, folderOf } from "@bearhug/plan/test-file/load-definition";
import type { SetupContext } from "@bearhug/sdk";
import { type AnyEnv, type AnyTestDefinition, codesOfSuccess } from "@bearhug/sdk/internal";
import type { Mask } from "@bearhug/text/secret-mask";

import { current, type Current } from "./current.ts";
import { clientsFor, contextOf, createEngine } from "./engine.ts";
import { declaredEnv } from "./known-names.ts";
import { isOwnThread } from "./dedicated-thread.ts";
import { loadClients } from "./load-clients.ts";
import { createLog } from "./log.ts";
import { createRandom } from "./random.ts";
import { Vu } from "./vu.ts";

export interface StageOptions {
  readonly start: DefinitionWorkerStart;
  readonly plan: RunPlan;
  readonly port: WorkerPort<FromDefinitionWorker, ToDefinitionWorker>;
  readonly test: AnyTestDefinition;
  readonly stage: "setup" | "teardown";
  readonly accounting: SharedArrayBuffer;
  readonly mask: Mask;
  /** Null unless each step of the test is traced. */
  readonly tracer: Tracer | null;
  /** Filled, at the end, with the requests that failed. */
  readonly failed: FailedRequest[];
}

/** Setup or teardown, with its own client, whose requests are counted separately from the load's. */
export interface RunningStage {
  /** The owner of the stage's code, also of the code that it starts. */
  readonly owner: Current;
  /** Settles as the stage's code does, once the requests that it started have ended. */
  readonly result: Promise<unknown>;
  /** Interrupts the requests of its code and aborts its signal. */
  end(): void;
}

/**
 * Begins setup or teardown. Code that setup started, such as a timer, may send requests until the stage is
 * ended.
 */
export async function beginStage(
  { start, plan, port, test, stage, accounting, mask, tracer, failed }: StageOptions,
  body: (context: SetupContext<AnyEnv>) => unknown,
): Promise<RunningStage> {
  const engine = createEngine({
    clock: systemClock,
    plan,
    test,
    data: undefined,
    feeds: { ...noFeeds, rows: {} },
    accounting: new SharedAccounting(accounting),
    warmupAccounting: null,
    vuStateAccounting: null,
    connections: null,
    samples: null,
    bundlePath: bundlePathOf(start.source),
    folder: folderOf(start.source),
    mask,
    tracer,
    followsCode: true,
    clients: await loadClients(start.source, plan),
    log: (line) => {
      if (tracer === null) port.send({ type: "log", line });
      else tracer.log(line);
    },
    abort: () => undefined,
  });
  const scope = new Scope(engine.registry, { scenario: stage });
  const root = { scope, page: null, visit: null, isWarmup: false, turn: null };
  const vu = new Vu(0, systemClock, root, clientsFor(engine, plan));
  const context: Omit<SetupContext<AnyEnv>, "http"> = {
    env: declaredEnv({ ...plan.env }),
    random: createRandom(plan.seed, 0),
    signal: vu.signal,
    log: createLog(engine.log, engine.mask, stage),
  };
  const owner: Current = { clients: vu.clients, isStage: true };
  const run = async (): Promise<unknown> => {
    try {
      return await current.run(owner, body, Object.assign(context, contextOf(engine, vu)));
    } finally {
      await vu.idle();
      vu.isLeaving = false;
      // Idle connections and the watch would keep the thread alive. A later request opens its own connection.
      for (const client of vu.clients) client.closeIdle?.();
      engine.loopWatch.stop();
      const errors = engine.errors.drain();
      for (const { name, code, origin } of errors)
        if (origin !== undefined && !codesOfSuccess.has(code)) failed.push({ name, code, origin });
      const oddities = errors.filter(({ code }) => codesOfSuccess.has(code));
      if (oddities.length > 0) port.send({ type: "oddities", stage, oddities });
    }
  };
  const end = (): void => {
    // In a thread of its own, code that setup awaits may clean up: its calls are rejected.
    if (isOwnThread()) vu.retire();
    else vu.abandon();
    engine.close();
  };
  port.onClose(end);
  return { owner, result: run(), end };
}
