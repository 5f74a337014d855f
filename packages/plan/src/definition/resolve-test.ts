import type { EnvValue } from "@bearhug/sdk";
import { executorNames, isRecord } from "@bearhug/sdk/internal";
import { modelOf } from "../executors/load-models.ts";
import { validateEnvValue } from "./env-value.ts";
import type { ValidatedEnv } from "./declared-env.ts";

type Env = Readonly<Record<string, EnvValue>>;

/**
 * The test's options that may be functions of the environment variables. No other function is called: it may
 * be a misspelt `setup`.
 */
const computableTestOptions: ReadonlySet<string> = new Set([
  "baseUrl",
  "allowHosts",
  "siteHosts",
  "http",
  "warmup",
]);

/**
 * A scenario's options that are never functions of the environment variables. All others of its executor may
 * be.
 */
const neverComputed: ReadonlySet<string> = new Set(["exec", "executor", "env"]);

/** True if an option of the test is a function of the environment variables. */
export function needsEnv(test: object): boolean {
  let isNeeded = false;
  computeOptions(test, {}, {}, () => {
    isNeeded = true;
  });
  return isNeeded;
}

/**
 * Returns the test with every option that is a function of the environment variables replaced by the
 * function's result. `values` are the variables' values, `declared` their declarations in the test. Throws
 * what such a function throws.
 */
export function resolveTest(
  test: object,
  values: Env,
  declared: Readonly<Record<string, ValidatedEnv>>,
): Record<string, unknown> {
  return computeOptions(test, values, declared, (option, env) => option({ env }));
}

type Option = (context: { readonly env: Env }) => unknown;
type Call = (option: Option, env: Env) => unknown;

function computeOptions(
  test: object,
  values: Env,
  declared: Readonly<Record<string, ValidatedEnv>>,
  call: Call,
): Record<string, unknown> {
  const resolved = mapOptions(test, (name, option) =>
    isOption(option) && computableTestOptions.has(name) ? call(option, values) : option,
  );
  if (isRecord(resolved["scenarios"])) {
    resolved["scenarios"] = mapOptions(resolved["scenarios"], (_, scenario) => {
      if (!isRecord(scenario)) return scenario;
      const env = { ...values, ...overrides(scenario, declared) };
      const computable = computableOptions(scenario);
      return mapOptions(scenario, (name, option) =>
        isOption(option) && computable.has(name) ? call(option, env) : option,
      );
    });
  }
  if (isRecord(resolved["thresholds"])) {
    const lists = Object.entries(resolved["thresholds"]).flatMap(([key, given]) => {
      if (!isOption(given)) return [[key, given]];
      const list = call(given, values);
      // An empty list: the metric has no thresholds in this environment.
      return Array.isArray(list) && list.length === 0 ? [] : [[key, list]];
    });
    resolved["thresholds"] = Object.fromEntries(lists);
  }
  return resolved;
}

/**
 * Returns the scenario's options that may be functions; none if its executor is unknown, which validation
 * rejects anyway.
 */
function computableOptions({ executor }: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const name = executorNames.find((one) => one === executor);
  return new Set(
    name === undefined
      ? []
      : modelOf({ executor: name })
          .optionNames()
          .filter((one) => !neverComputed.has(one)),
  );
}

/** Returns the variables that a scenario overrides. Invalid ones are left out: validation reports them. */
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
