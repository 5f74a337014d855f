import * as z from "zod";

/**
 * Defaults for `bearhug run`, `check` and `list`: the default export of `bearhug.config.ts`. Options of the command line and
 * `BEARHUG_` variables override them. Paths are relative to the file.
 */
export interface Config {
  /** The project's tests, as files, folders or globs: `["load/*.load.ts"]`. They run if the command names none. */
  readonly tests?: readonly string[];
  /** Reports to write, as with `--out`; `{test}` in a path is the test's name: `["html=results/{test}.html"]`. */
  readonly out?: readonly string[];
  /** A `.env` file to read variables from. */
  readonly envFile?: string;
  /** Worker threads of each run. @default the number of cores, minus one */
  readonly workers?: number;
  /** Random seed; the same seed repeats a run. @default a new one for each run */
  readonly seed?: number;
  /** Bandwidth to the target, to detect when it is used up: `"1Gbps"`. */
  readonly link?: string;
  /** Stops a run gracefully after it has received this much: `"10GB"`. */
  readonly maxData?: string;
  /** Runs several tests at the same time. @default false */
  readonly together?: boolean;
  /** Fails a run (exit code 112) if the load generator was saturated. @default false */
  readonly strictGenerator?: boolean;
  /** Prints only summaries. @default false */
  readonly quiet?: boolean;
}

/** Types the default export of `bearhug.config.ts`. Throws nothing: commands list every problem of the file. */
export function defineConfig(config: Config): Config {
  return config;
}

/** Returns the schema of each option. A missing one does not compile. */
export const configShape = (): ConfigShape => ({
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
});

type ConfigShape = { readonly [Name in keyof Config]-?: z.ZodType<Config[Name] | undefined> };
