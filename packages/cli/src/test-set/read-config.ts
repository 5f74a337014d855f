import { optionsObject } from "@bearhug/plan/validation/option-schemas";
import type { Config, Problem } from "@bearhug/sdk";
import { once, ProblemCollector, z } from "@bearhug/sdk/internal";

const configSchema = once(() =>
  optionsObject("bearhug.config.ts", {
    tests: z.array(z.string().min(1)).min(1).optional(),
    out: z.array(z.string().min(1)).optional(),
    envFile: z.string().min(1).optional(),
    workers: z.int().min(0).optional(),
    seed: z.int().min(0).optional(),
    link: z.string().optional(),
    maxData: z.string().optional(),
    together: z.boolean().optional(),
    strictGenerator: z.boolean().optional(),
    quiet: z.boolean().optional(),
  }),
);

/** Reads a value as a configuration, and returns every problem. Throws nothing. */
export function readConfig(value: unknown): {
  readonly config: { readonly [Name in keyof Config]: Config[Name] | undefined };
  readonly problems: readonly Problem[];
} {
  const collector = new ProblemCollector("The configuration");
  const config = collector.read(configSchema(), value, []);
  return { config: config ?? {}, problems: collector.problems };
}
