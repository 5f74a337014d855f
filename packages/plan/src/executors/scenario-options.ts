import type { ExecutorName, Tags } from "@bearhug/sdk";
import { once, z } from "@bearhug/sdk/internal";
import { showValue } from "@bearhug/text/describe-issue";
import { durationSchema } from "../validation/duration.ts";
import { optionsObject, tagsSchema } from "../validation/option-schemas.ts";
import { defaultGracefulMs } from "./describe-load.ts";
import type { ReadSeparately, ValidatedScenarioBase } from "./validated-scenario.ts";

export const atLeastOne: () => z.ZodType<number> = once(() => z.int().min(1));
export const zeroOrMore: () => z.ZodType<number> = once(() => z.int().min(0));
export const timeMs: () => z.ZodType<number> = once(() => z.number().nonnegative());

/** A schema for each option. */
export type ShapeOf<Options> = { readonly [Name in keyof Options]-?: z.ZodType<Options[Name]> };

/** The options of every scenario, with their defaults. */
interface BaseOptions {
  readonly exec: unknown;
  readonly startTime: number;
  readonly gracefulStop: number;
  readonly expectNoRequests: boolean | undefined;
  readonly expectFailures: boolean | undefined;
  readonly tags: Tags;
  readonly env: Readonly<Record<string, unknown>>;
  readonly http: unknown;
}

const baseShape: () => ShapeOf<BaseOptions> = once(() => ({
  exec: z.custom((value) => typeof value === "function", {
    error: ({ input }) => `must be a function that runs one iteration, but is ${showValue(input)}`,
  }),
  startTime: durationSchema(0).default(0),
  gracefulStop: durationSchema(0).default(defaultGracefulMs),
  expectNoRequests: z.boolean().optional(),
  expectFailures: z.boolean().optional(),
  tags: tagsSchema().default({}),
  env: z.record(z.string(), z.unknown()).default({}),
  http: z.unknown().optional(),
}));

type ValidBase<Name> = Omit<ValidatedScenarioBase, ReadSeparately> & { readonly executor: Name };

/** Returns the part of a load model that reads options as an author writes them: its own, and those of every scenario. */
export function writtenOptions<Name extends ExecutorName, Options extends object, Own extends object>(
  executor: Name,
  own: () => ShapeOf<Options>,
  read: (options: Options) => Own,
): {
  readonly optionNames: () => readonly string[];
  readonly schema: () => z.ZodType<ValidBase<Name> & Own>;
} {
  const shape = once((): z.ZodRawShape => ({ executor: z.literal(executor), ...own(), ...baseShape() }));
  return {
    optionNames: () => Object.keys(shape()),
    schema: once(() =>
      optionsObject(executor, shape()).transform((given) => {
        const options = given as Options & BaseOptions;
        const { startTime: startTimeMs, gracefulStop: gracefulStopMs, tags } = options;
        return { startTimeMs, gracefulStopMs, tags, executor, ...read(options) };
      }),
    ),
  };
}

/** Returns the schema of a load model's `pacing`: its executor, its `startTime` and these options. */
export function pacingSchema<Name extends ExecutorName, Options extends z.ZodRawShape>(
  executor: Name,
  options: Options,
): z.ZodObject<{ executor: z.ZodLiteral<Name>; startTimeMs: z.ZodType<number> } & Options> {
  return z.object({ executor: z.literal(executor), startTimeMs: timeMs(), ...options });
}
