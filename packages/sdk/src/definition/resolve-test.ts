import type { EnvValue } from "../env/env.ts";
import { validateEnvValue } from "../env/env-value.ts";
import type { ValidatedEnv } from "../env/read-env.ts";
import { executorNames, executors } from "../scenario/scenario.ts";

type Env = Readonly<Record<string, EnvValue>>;

/** The test's options that may be functions. Others are never called, whatever they are: a misspelt `setup` is one of them. */
const ofTest: ReadonlySet<string> = new Set(["baseUrl", "allowHosts", "siteHosts", "http", "warmup"]);

/** The options of a scenario that may be functions: all that its executor has, but these. */
const neverWorked: ReadonlySet<string> = new Set(["exec", "executor", "env"]);

/** True for a test with an option that is a function of the environment variables. */
export function needsEnv(test: object): boolean {
  let isNeeded = false;
  workOut(test, {}, {}, () => {
    isNeeded = true;
  });
  return isNeeded;
}

/**
 * The test with every option that is a function of the environment variables replaced by what the function gives.
 * `values` are the variables' values, `declared` what the test says of them. Throws what such a function throws.
 */
export function resolveTest(
  test: object,
  values: Env,
  declared: Readonly<Record<string, ValidatedEnv>>,
): Record<string, unknown> {
  return workOut(test, values, declared, (option, env) => option({ env }));
}

type Option = (context: { readonly env: Env }) => unknown;
type Call = (option: Option, env: Env) => unknown;

function workOut(
  test: object,
  values: Env,
  declared: Readonly<Record<string, ValidatedEnv>>,
  call: Call,
): Record<string, unknown> {
  const resolved = mapOptions(test, (name, option) =>
    isOption(option) && ofTest.has(name) ? call(option, values) : option,
  );
  if (isRecord(resolved["scenarios"])) {
    resolved["scenarios"] = mapOptions(resolved["scenarios"], (_, scenario) => {
      if (!isRecord(scenario)) return scenario;
      const env = { ...values, ...overrides(scenario, declared) };
      const worked = workedOptions(scenario);
      return mapOptions(scenario, (name, option) =>
        isOption(option) && worked.has(name) ? call(option, env) : option,
      );
    });
  }
  if (isRecord(resolved["thresholds"])) {
    const lists = Object.entries(resolved["thresholds"]).flatMap(([key, given]) => {
      if (!isOption(given)) return [[key, given]];
      const list = call(given, values);
      // No threshold in this environment.
      return Array.isArray(list) && list.length === 0 ? [] : [[key, list]];
    });
    resolved["thresholds"] = Object.fromEntries(lists);
  }
  return resolved;
}

/** None where the executor is not known, which is refused whatever its options are. */
function workedOptions({ executor }: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const name = executorNames.find((one) => one === executor);
  return new Set(
    name === undefined ? [] : executors[name].optionNames().filter((one) => !neverWorked.has(one)),
  );
}

/** Variables that a scenario sets for itself; those that are invalid are left to the validation. */
function overrides(
  scenario: Readonly<Record<string, unknown>>,
  declared: Readonly<Record<string, ValidatedEnv>>,
): Env {
  const { env } = scenario;
  if (!isRecord(env)) return {};
  const read = Object.entries(env).flatMap(([name, given]) => {
    const declaration = declared[name];
    const read = declaration && validateEnvValue(declaration.type, given);
    return read !== undefined && "value" in read ? [[name, read.value] as const] : [];
  });
  return Object.fromEntries(read);
}

function mapOptions(
  options: object,
  change: (name: string, option: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]: [string, unknown]) => [name, change(name, option)]),
  );
}

function isOption(value: unknown): value is Option {
  return typeof value === "function";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
