import { Option } from "commander";

/**
 * The option of every command that gives variables to a test. Node looks for its own `--env-file` in the arguments of every
 * program, also in those of `npx` and `pnpm`, and ends with 9 where there is no such file. So that name is an alias.
 */
export function envFromOption(): Option {
  return new EnvFromOption("--env-from <path>", "read variables from a .env file").helpGroup(
    "Target and variables:",
  );
}

class EnvFromOption extends Option {
  override short = "--env-file";

  /** The name of the same option in `bearhug.config.ts` and in `runTest`. */
  override attributeName(): string {
    return "envFile";
  }
}
