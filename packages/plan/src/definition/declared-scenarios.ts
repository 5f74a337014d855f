import type { EnvValue } from "@bearhug/sdk";
import type { Path, ProblemCollector } from "@bearhug/sdk/internal";
import { suggestName } from "@bearhug/text/closest-name";
import { validateEnvValue } from "./env-value.ts";
import { scenarioNameProblem } from "../validation/name-rules.ts";
import { scenarioSchema } from "../executors/load-models.ts";
import type { ValidatedScenario } from "../executors/validated-scenario.ts";
import { readHttp } from "../http-options/read-http.ts";
import type { ValidatedHttp } from "../http-options/validated-http.ts";
import type { ValidatedEnv } from "./declared-env.ts";

/** The parts of a test that its scenarios refer to. */
export interface SharedTestOptions {
  /** By name; undefined if the declaration is invalid. */
  readonly declaredEnv: ReadonlyMap<string, ValidatedEnv | undefined>;
  readonly http: ValidatedHttp;
  /** The default of scenarios that do not set `expectNoRequests`. */
  readonly expectsNoRequests: boolean;
  readonly expectsFailures: boolean;
}

/** Reads the scenarios of a test by name. Invalid ones are undefined. */
export function readScenarios(
  value: unknown,
  { declaredEnv, http, expectsNoRequests, expectsFailures }: SharedTestOptions,
  collector: ProblemCollector,
): Map<string, ValidatedScenario | undefined> {
  const entries = collector.entriesOf(value, ["scenarios"]);
  if (entries?.length === 0) collector.add(["scenarios"], "must have at least one scenario");
  const scenarios = new Map<string, ValidatedScenario | undefined>();
  for (const [name, given] of entries ?? []) {
    const path = ["scenarios", name];
    const nameProblem = scenarioNameProblem(name);
    if (nameProblem !== undefined) collector.add(path, nameProblem);
    const options = collector.read(scenarioSchema(), given, path);
    const own = new Map(propertiesOf(given));
    const mayOmitRequests = (own.get("expectNoRequests") ?? expectsNoRequests) === true;
    const mayFail = (own.get("expectFailures") ?? expectsFailures) === true;
    const merged = readHttp(own.get("http"), http, [...path, "http"], collector);
    checkAcrossOptions(own, path, collector);
    const env = readEnv(own.get("env"), declaredEnv, [...path, "env"], collector);
    const expectations = {
      expectsNoRequests: mayOmitRequests,
      ...(mayFail ? { expectsFailures: true } : {}),
    };
    scenarios.set(name, options && { name, http: merged, ...expectations, env, ...options });
  }
  return scenarios;
}

/**
 * Checks options against each other, which the schema can't. It reads unvalidated options, so that all
 * problems are reported together.
 */
function checkAcrossOptions(
  options: ReadonlyMap<string, unknown>,
  path: Path,
  collector: ProblemCollector,
): void {
  const preAllocatedVUs = options.get("preAllocatedVUs");
  const maxVUs = options.get("maxVUs");
  if (typeof preAllocatedVUs === "number" && typeof maxVUs === "number" && preAllocatedVUs > maxVUs) {
    collector.add(
      [...path, "preAllocatedVUs"],
      `must not exceed maxVUs (${maxVUs}), but is ${preAllocatedVUs}`,
    );
  }
}

/** Reads the variables that a scenario overrides. */
function readEnv(
  given: unknown,
  declared: SharedTestOptions["declaredEnv"],
  path: Path,
  collector: ProblemCollector,
): Record<string, EnvValue> {
  const values: Record<string, EnvValue> = {};
  for (const [name, value] of propertiesOf(given)) {
    const declaration = declared.get(name);
    if (!declared.has(name)) {
      const suggestion = suggestName(name, [...declared.keys()], "declare it under the test's env");
      collector.add([...path, name], `is not an environment variable of the test${suggestion}`);
    } else if (declaration !== undefined) {
      const read = validateEnvValue(declaration.type, value);
      if ("problem" in read) collector.add([...path, name], read.problem);
      else values[name] = read.value;
    }
  }
  return values;
}

function propertiesOf(value: unknown): [name: string, value: unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
