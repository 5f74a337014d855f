import * as z from "zod";
import { describeValue } from "../validation/describe-issue.ts";
import { durationSchema } from "../duration/duration.ts";
import { optionsObject, tagsSchema } from "../validation/option-schemas.ts";
import {
  defaultMaxVUs,
  type ValidatedOpenModel,
  type ValidatedScenario,
  type ValidatedScenarioBase,
  type ValidatedStage,
} from "./validated-scenario.ts";
import { once } from "../validation/once.ts";

/** Read apart: its name, and the options that it has in common with its test. */
type ReadApart = "name" | "http" | "expectsNoRequests" | "expectsFailures" | "env";

type OwnOptions<S> = S extends unknown ? Omit<S, ReadApart> : never;

/** A validated scenario without its name and `http`. */
export type ValidatedScenarioOptions = OwnOptions<ValidatedScenario>;

const secondMs = 1000;
const minuteMs = 60 * secondMs;

const atLeastOne = once(() => z.int().min(1));
const zeroOrMore = once(() => z.int().min(0));
const baseShape = once(() => ({
  exec: z.custom((value) => typeof value === "function", {
    error: ({ input }) => `must be a function that runs one iteration, but is ${describeValue(input)}`,
  }),
  startTime: durationSchema(0).default(0),
  gracefulStop: durationSchema(0).default(30 * secondMs),
  expectNoRequests: z.boolean().optional(),
  expectFailures: z.boolean().optional(),
  tags: tagsSchema().default({}),
  env: z.record(z.string(), z.unknown()).default({}),
  http: z.unknown().optional(),
}));

const iterationsShape = once(() => ({
  vus: atLeastOne().default(1),
  iterations: atLeastOne().default(1),
  maxDuration: durationSchema().default(10 * minuteMs),
}));

const openShape = once(() => ({
  timeUnit: durationSchema().default(secondMs),
  preAllocatedVUs: zeroOrMore().default(0),
  maxVUs: atLeastOne().optional(),
  arrivals: z.enum(["uniform", "poisson"]).default("uniform"),
  onBusy: z.enum(["drop", "queue"]).default("drop"),
}));

function stagesOf(target: z.ZodType<number>): z.ZodType<ValidatedStage[]> {
  const stage = optionsObject("a stage", { duration: durationSchema(0), target });
  return z
    .array(stage.transform(({ duration, ...rest }) => ({ durationMs: duration, target: rest.target })))
    .min(1)
    .refine((stages) => stages.length === 0 || !stages.every(({ durationMs }) => durationMs === 0), {
      error: "must be longer than 0 in total",
    });
}

interface BaseOptions {
  readonly startTime: number;
  readonly gracefulStop: number;
  readonly tags: Record<string, string>;
}

function validBase(options: BaseOptions): Omit<ValidatedScenarioBase, ReadApart> {
  const { startTime, gracefulStop, tags } = options;
  return { startTimeMs: startTime, gracefulStopMs: gracefulStop, tags };
}

interface OpenOptions extends BaseOptions {
  readonly timeUnit: number;
  readonly preAllocatedVUs: number;
  readonly maxVUs?: number | undefined;
  readonly arrivals: "uniform" | "poisson";
  readonly onBusy: "drop" | "queue";
}

function validOpenModel(options: OpenOptions): Omit<ValidatedOpenModel, ReadApart> {
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

const sharedIterations = once(() =>
  optionsObject("shared-iterations", {
    executor: z.literal("shared-iterations"),
    ...iterationsShape(),
    ...baseShape(),
  }).transform((options) => ({
    ...validBase(options),
    executor: options.executor,
    vus: options.vus,
    iterations: options.iterations,
    maxDurationMs: options.maxDuration,
  })),
);

const perVuIterations = once(() =>
  optionsObject("per-vu-iterations", {
    executor: z.literal("per-vu-iterations"),
    ...iterationsShape(),
    ...baseShape(),
  }).transform((options) => ({
    ...validBase(options),
    executor: options.executor,
    vus: options.vus,
    iterations: options.iterations,
    maxDurationMs: options.maxDuration,
  })),
);

const constantVus = once(() =>
  optionsObject("constant-vus", {
    executor: z.literal("constant-vus"),
    vus: atLeastOne().default(1),
    duration: durationSchema(),
    ...baseShape(),
  }).transform((options) => ({
    ...validBase(options),
    executor: options.executor,
    vus: options.vus,
    durationMs: options.duration,
  })),
);

const rampingVus = once(() =>
  optionsObject("ramping-vus", {
    executor: z.literal("ramping-vus"),
    stages: stagesOf(zeroOrMore()),
    startVUs: zeroOrMore().default(1),
    gracefulRampDown: durationSchema(0).default(30 * secondMs),
    ...baseShape(),
  }).transform((options) => ({
    ...validBase(options),
    executor: options.executor,
    stages: options.stages,
    startVUs: options.startVUs,
    gracefulRampDownMs: options.gracefulRampDown,
  })),
);

const constantArrivalRate = once(() =>
  optionsObject("constant-arrival-rate", {
    executor: z.literal("constant-arrival-rate"),
    rate: z.number().gt(0),
    duration: durationSchema(),
    ...openShape(),
    ...baseShape(),
  }).transform((options) => ({
    ...validOpenModel(options),
    executor: options.executor,
    rate: options.rate,
    durationMs: options.duration,
  })),
);

const rampingArrivalRate = once(() =>
  optionsObject("ramping-arrival-rate", {
    executor: z.literal("ramping-arrival-rate"),
    stages: stagesOf(z.number().min(0)),
    startRate: z.number().min(0).default(0),
    ...openShape(),
    ...baseShape(),
  }).transform((options) => ({
    ...validOpenModel(options),
    executor: options.executor,
    stages: options.stages,
    startRate: options.startRate,
  })),
);

/** The options of a scenario, by its executor. */
export const scenarioSchema: () => z.ZodType<ValidatedScenarioOptions> = once(() =>
  z.discriminatedUnion("executor", [
    sharedIterations(),
    perVuIterations(),
    constantVus(),
    rampingVus(),
    constantArrivalRate(),
    rampingArrivalRate(),
  ]),
);
