import type { SetupContext } from "@bearhug/sdk";
import type { AnyEnv, AnyTestDefinition } from "@bearhug/sdk/internal";

import { createHttp } from "../http/client.ts";
import { Scope } from "../metrics/scope.ts";
import { systemClock } from "../pacing/clock.ts";
import type {
  DefinitionWorkerStart,
  FromDefinitionWorker,
  ToDefinitionWorker,
} from "../protocol/messages.ts";
import type { RunPlan } from "../protocol/plan.ts";
import type { Mask } from "../secret-mask.ts";
import type { FailedRequest } from "../protocol/thrown.ts";
import type { Port } from "../protocol/port.ts";
import { SharedAccounting } from "../protocol/shared-accounting.ts";
import { bundlePathOf } from "../definition/load-definition.ts";
import { createEngine } from "./engine.ts";
import { loadFetching } from "./load-fetching.ts";
import { currentVu } from "./current-vu.ts";
import { loadUndici } from "./load-undici.ts";
import { createLog } from "./log.ts";
import { createRandom } from "./random.ts";
import { Vu } from "./vu.ts";

export interface StageParts {
  readonly start: DefinitionWorkerStart;
  readonly plan: RunPlan;
  readonly port: Port<FromDefinitionWorker, ToDefinitionWorker>;
  readonly test: AnyTestDefinition;
  readonly stage: "setup" | "teardown";
  readonly accounting: SharedArrayBuffer;
  readonly mask: Mask;
  /** Takes up, at the end, the requests that failed. */
  readonly failed: FailedRequest[];
}

/** Runs setup or teardown with a client of its own, whose requests are accounted apart from the load's. */
export async function runStage(
  { start, plan, port, test, stage, accounting, mask, failed }: StageParts,
  body: (context: SetupContext<AnyEnv>) => unknown,
): Promise<unknown> {
  const { makeFetchClient } = await loadFetching(start.source);
  const engine = createEngine({
    clock: systemClock,
    plan,
    test,
    data: undefined,
    feedRows: {},
    accounting: new SharedAccounting(accounting),
    warmupAccounting: null,
    bundlePath: bundlePathOf(start.source),
    mask,
    makeFetchClient,
    followsVus: true,
    speakUndici: await loadUndici(plan),
    log: (line) => {
      port.send({ type: "log", line });
    },
    abort: () => undefined,
  });
  const root = {
    scope: new Scope(engine.registry, { scenario: stage }),
    page: null,
    visit: null,
    environment: engine.environment(plan.http),
  };
  const vu = new Vu(0, systemClock, root, engine.networks.of(plan.http));
  try {
    return await currentVu.run(vu, body, {
      http: createHttp(vu, engine.makeFetchClient),
      env: plan.env,
      random: createRandom(plan.seed, 0),
      signal: vu.signal,
      log: createLog(engine.log, engine.mask, stage),
    });
  } finally {
    await vu.idle();
    vu.retire();
    engine.networks.close();
    engine.deadlines.close();
    engine.loopWatch.stop();
    for (const { name, code, origin } of engine.errors.all())
      if (origin !== undefined) failed.push({ name, code, origin });
  }
}
