import type { TestProblem } from "../definition/invalid-test.ts";

/** Returns a problem of the command line or the configuration, rather than of the test. */
export function optionProblem(message: string): TestProblem {
  return { code: "INVALID_OPTION", path: "", message };
}

/** Returns the path of a threshold by its key, such as `http_req_duration{page:login}`. */
export function pathOfThreshold(key: string): string {
  return `thresholds[${JSON.stringify(key)}]`;
}

/** Returns the path of a scenario, whose name may be anything. */
export function pathOfScenario(name: string): string {
  return `scenarios[${JSON.stringify(name)}]`;
}
