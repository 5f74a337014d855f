import * as z from "zod";

import { durationSchema, type Duration } from "../duration/duration.ts";
import { once } from "../validation/once.ts";
import {
  atLeastOne,
  secondMs,
  validBase,
  zeroOrMore,
  type BaseOptions,
  type ReadSeparately,
  type ShapeOf,
  type ValidatedScenarioBase,
  type Computed,
} from "./scenario-options.ts";

const arrivalKinds = ["uniform", "poisson"] as const;
const busyActions = ["drop", "queue"] as const;

/** Options of both open models. */
export interface OpenModel<C> {
  /** The period that rates count in. @default "1s" */
  readonly timeUnit?: Duration | Computed<Duration, C>;
  /** Virtual users to create before the start; others are created when needed. @default 0 */
  readonly preAllocatedVUs?: number | Computed<number, C>;
  /** Maximum number of virtual users. @default 10_000 */
  readonly maxVUs?: number | Computed<number, C>;
  /**
   * `"uniform"` spreads iterations evenly. `"poisson"` starts them at random times, as independent users
   * arrive; the seed reproduces the times. @default "uniform"
   */
  readonly arrivals?: (typeof arrivalKinds)[number] | Computed<(typeof arrivalKinds)[number], C>;
  /**
   * The action if an iteration is due while all virtual users are busy: `"drop"` never starts it, `"queue"`
   * starts it once one is free. @default "drop"
   */
  readonly onBusy?: (typeof busyActions)[number] | Computed<(typeof busyActions)[number], C>;
}

/** The default of `maxVUs`. */
export const defaultMaxVUs = 10_000;

/** The validated options of both open models. */
export interface ValidatedOpenModel extends ValidatedScenarioBase {
  readonly timeUnitMs: number;
  readonly preAllocatedVUs: number;
  readonly maxVUs: number;
  readonly arrivals: (typeof arrivalKinds)[number];
  readonly onBusy: (typeof busyActions)[number];
}

interface OpenOptions {
  readonly timeUnit: number;
  readonly preAllocatedVUs: number;
  readonly maxVUs: number | undefined;
  readonly arrivals: (typeof arrivalKinds)[number];
  readonly onBusy: (typeof busyActions)[number];
}

export const openShape: () => ShapeOf<OpenOptions> = once(() => ({
  timeUnit: durationSchema().default(secondMs),
  preAllocatedVUs: zeroOrMore().default(0),
  maxVUs: atLeastOne().optional(),
  arrivals: z.enum(arrivalKinds).default("uniform"),
  onBusy: z.enum(busyActions).default("drop"),
}));

export function validOpenModel(options: OpenOptions & BaseOptions): Omit<ValidatedOpenModel, ReadSeparately> {
  const { timeUnit, preAllocatedVUs, maxVUs, arrivals, onBusy } = options;
  return {
    ...validBase(options),
    timeUnitMs: timeUnit,
    preAllocatedVUs,
    maxVUs: maxVUs ?? Math.max(defaultMaxVUs, preAllocatedVUs),
    arrivals,
    onBusy,
  };
}
