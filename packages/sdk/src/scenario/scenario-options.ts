import * as z from "zod";

import type { Duration } from "../duration/duration.ts";
import { durationSchema } from "../duration/duration.ts";
import type { EnvValue, FromEnv } from "../env/env.ts";
import type { HttpOptions, ValidatedHttp } from "../http-options/http-options.ts";
import type { Tags } from "../metrics/metric.ts";
import { describeValue } from "../validation/describe-issue.ts";
import { once } from "../validation/once.ts";
import { tagsSchema } from "../validation/option-schemas.ts";

/**
 * Values for the environment variables that a context has; `never` if it has none, so that the compiler
 * rejects others.
 */
type EnvOf<C> = C extends { readonly env: infer Env }
  ? [keyof Env] extends [never]
    ? never
    : Partial<Env>
  : never;

/** A function that computes an option from the environment variables of the scenario. */
export type Computed<T, C> = FromEnv<T, C extends { readonly env: infer Env } ? Env : never>;

/**
 * The options of every scenario. `C`: the context of its iterations. Every option but `exec`, `executor` and `env` may be a
 * function of the environment variables: `({ env }) => env.USERS`.
 */
export interface ScenarioBase<C> {
  /**
   * Runs one iteration. The iteration fails if this throws, and ends when every request that it started has
   * settled.
   */
  readonly exec: (context: C) => unknown;
  /** When to start, counted from the start of the test. @default 0 */
  readonly startTime?: Duration | Computed<Duration, C>;
  /**
   * How long iterations may continue after the scenario's end. Then they are cut off. Those with an
   * unanswered request count as failed, all others as interrupted. @default "30s"
   */
  readonly gracefulStop?: Duration | Computed<Duration, C>;
  /**
   * Set this if the iterations make no requests on purpose; otherwise the scenario fails the run.
   * @default from the test
   */
  readonly expectNoRequests?: boolean | Computed<boolean, C>;
  /**
   * Set this if requests of this scenario may fail on purpose, even all of them, or if its target may go
   * away.
   * @default from the test
   */
  readonly expectFailures?: boolean | Computed<boolean, C>;
  /** Tags of every sample of this scenario. */
  readonly tags?: Tags | Computed<Tags, C>;
  /** How this scenario's requests are sent. Each option overrides the test's. */
  readonly http?: HttpOptions | Computed<HttpOptions, C>;
  /** Values of declared environment variables for this scenario. */
  readonly env?: EnvOf<C>;
}

/** The validated options of every scenario. */
export interface ValidatedScenarioBase {
  readonly name: string;
  readonly startTimeMs: number;
  readonly gracefulStopMs: number;
  /** True if its iterations may make no requests. */
  readonly expectsNoRequests: boolean;
  /** True if its requests may fail, even all of them; absent if not. */
  readonly expectsFailures?: boolean;
  readonly tags: Tags;
  readonly env: Readonly<Record<string, EnvValue>>;
  /** Its own options, merged into those of the test. */
  readonly http: ValidatedHttp;
}

/**
 * Parts of a scenario that its executor's schema does not read: its name, and options that it shares with the
 * test.
 */
export type ReadSeparately = "name" | "http" | "expectsNoRequests" | "expectsFailures" | "env";

/** The options of a validated scenario that its executor's schema reads. */
export type OwnOptions<Validated> = Validated extends unknown ? Omit<Validated, ReadSeparately> : never;

/** The options of a load model, and its traits. */
export interface ExecutorOptions<Validated> {
  /** True if iterations start at a rate, however slowly the target responds. */
  readonly isOpen: boolean;
  /** True if it ends after a time, false if it ends after a number of iterations. */
  readonly isTimed: boolean;
  readonly optionNames: () => readonly string[];
  readonly schema: () => z.ZodType<OwnOptions<Validated>>;
}

export const secondMs = 1000;

export const atLeastOne: () => z.ZodType<number> = once(() => z.int().min(1));
export const zeroOrMore: () => z.ZodType<number> = once(() => z.int().min(0));

/** A schema for each option. */
export type ShapeOf<Options> = { readonly [Name in keyof Options]-?: z.ZodType<Options[Name]> };

/** The options of every scenario, with their defaults. */
export interface BaseOptions {
  readonly exec: unknown;
  readonly startTime: number;
  readonly gracefulStop: number;
  readonly expectNoRequests: boolean | undefined;
  readonly expectFailures: boolean | undefined;
  readonly tags: Tags;
  readonly env: Readonly<Record<string, unknown>>;
  readonly http: unknown;
}

export const baseShape: () => ShapeOf<BaseOptions> = once(() => ({
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

export function validBase(options: BaseOptions): Omit<ValidatedScenarioBase, ReadSeparately> {
  const { startTime, gracefulStop, tags } = options;
  return { startTimeMs: startTime, gracefulStopMs: gracefulStop, tags };
}
