import * as z from "zod";

import { durationSchema, type Duration } from "../duration/duration.ts";
import { once } from "../validation/once.ts";
import {
  atLeastOne,
  secondMs,
  validBase,
  zeroOrMore,
  type BaseOptions,
  type ReadApart,
  type ShapeOf,
  type ValidatedScenarioBase,
  type Worked,
} from "./scenario-options.ts";

const arrivalKinds = ["uniform", "poisson"] as const;
const busyActions = ["drop", "queue"] as const;

/** Options of both open models. */
export interface OpenModel<C> {
  /** The period that rates count in. @default "1s" */
  readonly timeUnit?: Duration | Worked<Duration, C>;
  /** Virtual users to create before the start; others are created when needed. @default 0 */
  readonly preAllocatedVUs?: number | Worked<number, C>;
  /** Maximum number of virtual users. @default 10_000 */
  readonly maxVUs?: number | Worked<number, C>;
  /** How iterations are spread: evenly, or as independent users arrive (seeded). @default "uniform" */
  readonly arrivals?: (typeof arrivalKinds)[number] | Worked<(typeof arrivalKinds)[number], C>;
  /** Action for an iteration that is due while every virtual user is busy. @default "drop" */
  readonly onBusy?: (typeof busyActions)[number] | Worked<(typeof busyActions)[number], C>;
}

/** The most virtual users of an open model that names no number. */
export const defaultMaxVUs = 10_000;

/** The options of both open models. */
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

export function validOpenModel(options: OpenOptions & BaseOptions): Omit<ValidatedOpenModel, ReadApart> {
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
