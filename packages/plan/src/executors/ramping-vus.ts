import { getOrAdd } from "@bearhug/metrics/get-or-add";

import { durationSchema } from "../validation/duration.ts";
import { zeroOrMore, writtenOptions, pacingSchema } from "./scenario-options.ts";
import { stagesOf, recordedStages } from "./stages.ts";
import type { ScenarioOf } from "./validated-scenario.ts";
import { rampedLoad, stagesMs, type ValidatedStage } from "../pacing/load-over-time.ts";
import { stripeAt, stripeNumber, type Stripe } from "../pacing/stripe.ts";
import type { LoadModel } from "./load-model.ts";
import { describeGrace, describeStages, describeVus, defaultGracefulMs } from "./describe-load.ts";
import { defaultMaxDurationMs, withConstantVus, withSharedIterations } from "./override.ts";
import { RampedVu } from "./ramped-vu.ts";
import type { ScenarioShare } from "./scenario-share.ts";
import { TurnKeeper } from "./turn-keeper.ts";

/** Closed model: VUs that join and leave in stages, each starting its next iteration when the last one has ended. */
export const rampingVus: LoadModel<ScenarioOf<"ramping-vus">> = {
  ...writtenOptions(
    "ramping-vus",
    () => ({
      stages: stagesOf(zeroOrMore()),
      startVUs: zeroOrMore().default(1),
      gracefulRampDown: durationSchema(0).default(defaultGracefulMs),
    }),
    ({ stages, startVUs, gracefulRampDown }) => ({
      stages,
      startVUs,
      gracefulRampDownMs: gracefulRampDown,
    }),
  ),
  isEven: false,
  describe: ({ startVUs, stages, gracefulRampDownMs }) => [
    `from ${describeVus(startVUs)} ${describeStages(stages)}`,
    ...describeGrace("gracefulRampDown", gracefulRampDownMs),
  ],
  loadOverTime: ({ startVUs, stages }) => rampedLoad(startVUs, stages),
  peakVus,
  certainVus(scenario) {
    const atMs = peakMs(scenario);
    return { vus: peakVus(scenario), fromMs: atMs, untilMs: atMs };
  },
  plannedIterations: ({ startVUs, stages }) => {
    const { value: first } = vuRamp(startVUs, stages).next();
    return first === undefined || first.atMs >= stagesMs(stages) ? 0 : null;
  },
  /** Replaces the ramp by a constant load if the options describe one completely. */
  override(scenario, { vus, durationMs, iterations }, problems) {
    if (iterations !== null) {
      const maxDurationMs = durationMs ?? defaultMaxDurationMs;
      return withSharedIterations(scenario, { vus: vus ?? 1, iterations, maxDurationMs });
    }
    if (vus !== null && durationMs !== null) return withConstantVus(scenario, { vus, durationMs });
    const [given, missing] = vus === null ? ["--duration", "--vus"] : ["--vus", "--duration"];
    problems.push(
      `${given}: scenario ${scenario.name} ramps in stages; to run it with a constant load instead, add ${missing}.`,
    );
    return scenario;
  },

  pacing: () => pacingSchema("ramping-vus", { stages: recordedStages() }),
  activeMs: ({ stages }) => stagesMs(stages),
  countedIterations: () => null,
  arrivalsOf: () => null,

  run: followRamp,
};

function peakVus({ startVUs, stages }: ScenarioOf<"ramping-vus">): number {
  return Math.max(startVUs, ...stages.map(({ target }) => target));
}

/** Returns the time after the start at which the ramp first reaches its highest target. */
function peakMs({ startVUs, stages }: ScenarioOf<"ramping-vus">): number {
  let [highest, highestMs, elapsedMs] = [startVUs, 0, 0];
  for (const { target, durationMs } of stages) {
    elapsedMs += durationMs;
    if (target > highest) [highest, highestMs] = [target, elapsedMs];
  }
  return highestMs;
}

async function followRamp(scenario: ScenarioOf<"ramping-vus">, share: ScenarioShare): Promise<void> {
  const stripe = stripeAt(share.place);
  let started = 0;
  const turns = new TurnKeeper(share.clock);
  const limit = Promise.withResolvers<null>();
  const hasRow = (): boolean => {
    const isLeft = stripeNumber(started, stripe) < share.iterationLimit;
    if (!isLeft) {
      share.reportLimitReached();
      limit.resolve(null);
    }
    return isLeft;
  };
  const nextIteration = (): number => stripeNumber(started++, stripe);
  const parts = { share, turns, hasRow, nextIteration, gracefulRampDownMs: scenario.gracefulRampDownMs };
  const vus = new Map<number, RampedVu>();
  await followSteps(stepsOf(scenario, stripe), share, limit.promise, ({ vu: number, joins }) => {
    const vu = getOrAdd(vus, number, () => new RampedVu(number, parts));
    if (joins) vu.join();
    else vu.leave();
  });
  await Promise.all([...vus.values()].map((vu) => vu.ended()));
}

/** Yields the steps of this worker's stripe of all VUs. */
function* stepsOf(
  { startVUs, stages }: ScenarioOf<"ramping-vus">,
  stripe: Stripe,
): Generator<RampStep, void> {
  for (const step of vuRamp(startVUs, stages)) if (step.vu % stripe.count === stripe.index) yield step;
}

/** Takes each step when it is due; resolves after the last one, when `limit` resolves, or when the run is stopping. */
function followSteps(
  steps: Generator<RampStep, void>,
  share: ScenarioShare,
  limit: Promise<null>,
  take: (step: RampStep) => void,
): Promise<void> {
  const { clock, startMs } = share;
  return new Promise((resolve) => {
    let disarm: () => void = () => undefined;
    let next = steps.next();
    const wake = (): void => {
      for (; next.done !== true && startMs + next.value.atMs <= clock.now(); next = steps.next())
        take(next.value);
      if (next.done === true) resolve();
      else disarm = clock.at(startMs + next.value.atMs, wake);
    };
    wake();
    const end = (): void => {
      disarm();
      resolve();
    };
    share.onStop(end);
    void limit.then(end);
  });
}

/** A virtual user that joins or leaves. */
interface RampStep {
  /** Time after the scenario's start. */
  readonly atMs: number;
  /** The VU's number, from 0. */
  readonly vu: number;
  readonly joins: boolean;
}

/**
 * Yields the joins and leaves of virtual users, in order. `startVUs` join at 0. In a stage of length d that
 * ends at T and goes up from a to b, the n-th VU (from 1) joins at T − d · (b − n) / (b − a); going down, the
 * n-th leaves at T − d · (b − n + 1) / (b − a). A stage of length 0 is a jump.
 */
export function* vuRamp(startVUs: number, stages: readonly ValidatedStage[]): Generator<RampStep, void> {
  for (let vu = 0; vu < startVUs; vu++) yield { atMs: 0, vu, joins: true };
  let from = startVUs;
  let endMs = 0;
  for (const { durationMs, target } of stages) {
    endMs += durationMs;
    const perVuMs = durationMs / Math.abs(target - from);
    for (let n = from + 1; n <= target; n++)
      yield { atMs: endMs - perVuMs * (target - n), vu: n - 1, joins: true };
    for (let n = from; n > target; n--)
      yield { atMs: endMs - perVuMs * (n - 1 - target), vu: n - 1, joins: false };
    from = target;
  }
}
