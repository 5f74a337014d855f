import { writeTest } from "../run-bearhug.ts";
import type { BrokenRun } from "./broken-kind.ts";

/** A test of one scenario. */
export interface TestSource {
  readonly baseUrl: string;
  /** The function of the scenario, as source. */
  readonly exec: string;
  /** Further options of the test, each followed by a comma. */
  readonly options?: string;
  /** Thresholds that hold whatever happens here, with those of a test that has some of its own. */
  readonly thresholds?: string;
  readonly load?: string;
}

const closed = `executor: "shared-iterations", vus: 2, iterations: 10, gracefulStop: "500ms", maxDuration: "1s"`;
const open = `executor: "constant-arrival-rate", rate: 20, duration: "1s", gracefulStop: "500ms", maxVUs: 30`;
/** It holds, or is not asked: what fails the run is the verdict's own rule. */
const lenient = `thresholds: { http_req_duration: [{ threshold: "p(95)<1m", allowEmpty: true }] },`;

function writeSource({ baseUrl, exec, options = "", thresholds = "", load = closed }: TestSource): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${baseUrl}",
  ${options}
  ${thresholds}
  scenarios: { s: { ${load}, exec: ${exec} } },
});`);
}

/** The test in a closed model without thresholds, and in an open one with some, which needs no thread of its own. */
export function bothModels(source: TestSource): BrokenRun[] {
  return [
    { how: "closed model", arguments: ["run", writeSource(source)] },
    {
      how: "open model, with thresholds, in one thread",
      arguments: [
        "run",
        writeSource({ thresholds: lenient, ...source, load: open }),
        ...(leavesItsThread(source) ? [] : ["--workers", "0"]),
      ],
    },
  ];
}

/** The documentation has a row of its own for those that end the process where they have no thread. */
function leavesItsThread({ exec }: TestSource): boolean {
  return exec.includes("process.exit");
}

/** The test as it is. */
export function once(source: TestSource, flags: readonly string[] = []): BrokenRun[] {
  return [{ how: "as it is", arguments: ["run", writeSource(source), ...flags] }];
}

/** A module that is no test. */
export function moduleOf(text: string): BrokenRun[] {
  return [{ how: "as it is", arguments: ["run", writeTest(text)] }];
}
