import type { EnvValue } from "@bearhug/sdk";
import { z, type ProblemCollector, envTypes } from "@bearhug/sdk/internal";
import { isSecretVariable } from "@bearhug/text/secrets/secret-names";

import { optionsObject } from "../validation/option-schemas.ts";
import { type EnvType, validateEnvValue } from "./env-value.ts";

/** An environment variable that a test declares. */
export interface ValidatedEnv {
  readonly type: EnvType;
  /** Null if it has none: it must then be set, unless it is optional. Durations are milliseconds. */
  readonly default: EnvValue | null;
  /** True if its value is "" when it is not set. */
  readonly optional: boolean;
  readonly secret: boolean;
  readonly description: string | null;
}

const envName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Returns the schema of a variable's declaration. A variable with the name of a secret is always secret. */
function envSchema(name: string): z.ZodType<ValidatedEnv> {
  return optionsObject("an environment variable", {
    type: z.enum(envTypes).default("string"),
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
      secret: declaration.secret || isSecretVariable(name),
      description: declaration.description ?? null,
    }));
}

function readDefault(type: EnvType, given: unknown, context: z.RefinementCtx): EnvValue | null {
  const read = validateEnvValue(type, given);
  if ("value" in read) return read.value;
  context.addIssue({ code: "custom", path: ["default"], message: read.problem });
  return null;
}

/** Reads the environment variables that a test declares. Invalid ones are undefined. */
export function readEnv(value: unknown, collector: ProblemCollector): Map<string, ValidatedEnv | undefined> {
  const declared = new Map<string, ValidatedEnv | undefined>();
  for (const [name, declaration] of collector.entriesOf(value ?? {}, ["env"]) ?? []) {
    const path = ["env", name];
    if (!envName.test(name)) {
      collector.add(path, "must be named with letters, digits and _, and not begin with a digit");
    }
    declared.set(name, collector.read(envSchema(name), declaration, path));
  }
  return declared;
}
