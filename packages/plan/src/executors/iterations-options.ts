import { durationSchema } from "../duration/duration.ts";
import { once } from "../validation/once.ts";
import {
  atLeastOne,
  secondMs,
  validBase,
  type BaseOptions,
  type ReadSeparately,
  type ShapeOf,
  type ValidatedScenarioBase,
} from "./scenario-options.ts";

/** Options of both executors that run a fixed number of iterations: in total, or per virtual user. */
export interface ValidatedIterations extends ValidatedScenarioBase {
  readonly vus: number;
  readonly iterations: number;
  readonly maxDurationMs: number;
}

interface IterationsOptions {
  readonly vus: number;
  readonly iterations: number;
  readonly maxDuration: number;
}

export const iterationsShape: () => ShapeOf<IterationsOptions> = once(() => ({
  vus: atLeastOne().default(1),
  iterations: atLeastOne().default(1),
  maxDuration: durationSchema().default(600 * secondMs),
}));

export function validIterations(
  options: IterationsOptions & BaseOptions,
): Omit<ValidatedIterations, ReadSeparately> {
  const { vus, iterations, maxDuration } = options;
  return { ...validBase(options), vus, iterations, maxDurationMs: maxDuration };
}
