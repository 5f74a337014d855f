import { z } from "zod";
import type { EnvType, EnvValue } from "../env/env.ts";
import { describeValue } from "../validation/describe-issue.ts";
import { durationSchema } from "../duration/duration-schema.ts";
import { validateEnvValue } from "../env/env-value.ts";
import { textProblem } from "../validation/name-rules.ts";
import { optionsObject } from "../validation/options-object.ts";
import type { ValidatedEnv, ValidatedMetric, ValidatedTest } from "./validated-test.ts";

const minuteMs = 60_000;

const absoluteAddress = /^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#]*)?$/i;
const hostAndPort = /^(?:\[[\da-f:.]+\]|[^\s/?#@:[\]\\]+)(?::\d{1,5})?$/i;
const secretName = /token|secret|password|key/i;

const functionSchema = z.custom((value) => typeof value === "function", {
  error: ({ input }) => `must be a function, but is ${describeValue(input)}`,
});

const nameSchema = z.string().superRefine((name, context) => {
  const problem = textProblem(name);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

const baseUrlSchema = z.string().regex(absoluteAddress, {
  error: ({ input }) =>
    `must be an http or https address such as "http://127.0.0.1:8080", without user, query or fragment, but is ${describeValue(input)}`,
});

const hostSchema = z.string().regex(hostAndPort, {
  error: ({ input }) =>
    `must be a host such as "api.example.com" or "127.0.0.1:8080", but is ${describeValue(input)}`,
});

/** A test without the parts that are validated together: http, env, metrics, feeds, scenarios, thresholds. */
export type ValidatedFrame = Omit<
  ValidatedTest,
  "http" | "env" | "metrics" | "feeds" | "scenarios" | "thresholds"
>;

export const frameSchema: z.ZodType<ValidatedFrame> = optionsObject("a test", {
  name: nameSchema.optional(),
  baseUrl: baseUrlSchema.optional(),
  allowHosts: z.array(hostSchema).default([]),
  siteHosts: z.array(hostSchema).default([]),
  allowUnmeasured: z.boolean().default(false),
  http: z.unknown().optional(),
  env: z.unknown().optional(),
  metrics: z.unknown().optional(),
  feeds: z.unknown().optional(),
  vuState: functionSchema.optional(),
  setup: functionSchema.optional(),
  setupTimeout: durationSchema().default(minuteMs),
  scenarios: z.unknown().optional(),
  teardown: functionSchema.optional(),
  teardownTimeout: durationSchema().default(minuteMs),
  warmup: durationSchema(0).default(0),
  expectNoRequests: z.boolean().default(false),
  thresholds: z.unknown().optional(),
}).transform((test) => ({
  name: test.name ?? null,
  baseUrl: test.baseUrl ?? null,
  allowHosts: test.allowHosts,
  siteHosts: test.siteHosts,
  allowUnmeasured: test.allowUnmeasured,
  hasSetup: test.setup !== undefined,
  setupTimeoutMs: test.setupTimeout,
  hasTeardown: test.teardown !== undefined,
  teardownTimeoutMs: test.teardownTimeout,
  warmupMs: test.warmup,
}));

/** The declaration of an environment variable. One whose name speaks of a secret always is one. */
export function envSchema(name: string): z.ZodType<ValidatedEnv> {
  return optionsObject("an environment variable", {
    type: z.enum(["string", "number", "duration", "boolean"]).default("string"),
    default: z.unknown().optional(),
    optional: z.boolean().default(false),
    secret: z.boolean().default(false),
    description: z.string().optional(),
  })
    .refine((declaration) => declaration.default === undefined || !declaration.optional, {
      path: ["optional"],
      error: "can't be set together with a default",
    })
    .refine((declaration) => declaration.type === "string" || !declaration.optional, {
      path: ["optional"],
      error: "is only for strings: give the variable a default",
    })
    .transform(({ default: given, ...declaration }, context) => ({
      type: declaration.type,
      default: given === undefined ? null : readDefault(declaration.type, given, context),
      optional: declaration.optional,
      secret: declaration.secret || secretName.test(name),
      description: declaration.description ?? null,
    }));
}

function readDefault(type: EnvType, given: unknown, context: z.RefinementCtx): EnvValue | null {
  const read = validateEnvValue(type, given);
  if ("value" in read) return read.value;
  context.addIssue({ code: "custom", path: ["default"], message: read.problem });
  return null;
}

/** The declaration of a metric. */
export const metricDeclarationSchema: z.ZodType<ValidatedMetric> = optionsObject("a metric", {
  type: z.enum(["counter", "gauge", "rate", "trend"]),
  time: z.boolean().default(false),
})
  .refine(({ type, time }) => !time || type === "trend" || type === "gauge", {
    path: ["time"],
    error: "is for trends and gauges only",
  })
  .transform(({ type, time }) => ({ type, unit: time ? "ms" : null }));
