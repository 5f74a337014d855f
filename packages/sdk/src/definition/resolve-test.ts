import type { EnvValue } from "../env/env.ts";
import { validateEnvValue } from "../env/env-value.ts";
import type { ValidatedEnv } from "../env/read-env.ts";
import type { AnyScenario } from "./test-definition.ts";

type Env = Readonly<Record<string, EnvValue>>;

/** Options that may be functions. Others are never called, whatever they are: a misspelt `setup` is one of them. */
const ofTest: ReadonlySet<string> = new Set(["baseUrl", "allowHosts", "siteHosts", "http", "warmup"]);
const ofScenario: ReadonlySet<string> = new Set(
  Object.keys({
    startTime: true,
    gracefulStop: true,
    tags: true,
    http: true,
    vus: true,
    iterations: true,
    maxDuration: true,
    duration: true,
    stages: true,
    startVUs: true,
    gracefulRampDown: true,
    timeUnit: true,
    preAllocatedVUs: true,
    maxVUs: true,
    rate: true,
    startRate: true,
  } satisfies Record<WorkedName<AnyScenario>, true>),
);

/** The options of scenarios whose types have a function, besides `exec`. */
type WorkedName<Scenario> = Scenario extends unknown
  ? {
      [Name in keyof Scenario]-?: Name extends "exec"
        ? never
        : Extract<Scenario[Name], (context: never) => unknown> extends never
          ? never
          : Name;
    }[keyof Scenario]
  : never;

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
      return mapOptions(scenario, (name, option) =>
        isOption(option) && ofScenario.has(name) ? call(option, env) : option,
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
