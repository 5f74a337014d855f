import { closestName, type ValidatedTest } from "@bearhug/sdk";

import type { RunOptions } from "./run-options.ts";

/** The values of the variables that a test declares, and which of them are secrets. */
export interface TestEnv {
  readonly values: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** The optional variables that are not set. */
  readonly unset: readonly string[];
}

/** Command line before environment before default; every missing variable is a problem. */
export function readEnv(
  test: ValidatedTest,
  options: RunOptions,
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): TestEnv {
  problems.push(...undeclaredVariables(Object.keys(test.env), Object.keys(options.env)));
  const values: Record<string, string> = {};
  const secrets: string[] = [];
  const unset: string[] = [];
  for (const [name, { default: fallback, optional, secret, description }] of Object.entries(test.env)) {
    const value =
      options.env[name] ?? options.envFile[name] ?? environment[name] ?? (optional ? "" : fallback);
    if (value === null) {
      const what = description === null ? "" : ` (${description})`;
      problems.push(
        `${name}${what} is not set: the test needs it. Set it in the environment, or with --env ${name}=…`,
      );
      continue;
    }
    values[name] = value;
    if (optional && value === "") unset.push(name);
    if (secret) secrets.push(value);
  }
  for (const { env } of test.scenarios) {
    for (const [name, value] of Object.entries(env)) if (test.env[name]?.secret === true) secrets.push(value);
  }
  return { values, secrets, unset };
}

/** A sentence for each variable of the command line that the test would never read. */
function undeclaredVariables(declared: readonly string[], given: readonly string[]): string[] {
  return given
    .filter((name) => !declared.includes(name))
    .map((name) => {
      const meant = closestName(name, declared);
      const known = declared.length === 0 ? "It declares none." : `It declares ${declared.join(", ")}.`;
      const hint = meant === undefined ? known : `Did you mean ${meant}?`;
      return `--env ${name}: the test declares no such variable. ${hint}`;
    });
}

/** Shorter ones are rarely secrets, whatever their variable is called. */
const leastSecretLength = 8;

/** Values of variables whose names say that they are secrets: masked before it is known what a test declares. */
export function secretsByName(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    /token|secret|password|passphrase|key$/i.test(name) &&
    value !== undefined &&
    value.length >= leastSecretLength
      ? [value]
      : [],
  );
}
