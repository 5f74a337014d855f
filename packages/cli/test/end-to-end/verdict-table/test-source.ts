import { writeTest } from "../run-bearhug.ts";
import type { BrokenRun } from "./broken-kind.ts";

/** A test of one scenario. */
export interface TestSource {
  readonly baseUrl: string;
  /** The function of the scenario, as source. */
  readonly exec: string;
  /** Further options of the test, each followed by a comma. */
  readonly options?: string;
  /** The thresholds of the test. @default none, or in an open model one that always holds */
  readonly thresholds?: string;
  readonly load?: string;
}

const closed = `executor: "shared-iterations", vus: 2, iterations: 10, gracefulStop: "500ms", maxDuration: "1s"`;
const open = `executor: "constant-arrival-rate", rate: 20, duration: "1s", gracefulStop: "500ms", maxVUs: 30`;
/** Holds or has no samples, so that only the verdict's own rules can fail the run. */
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

/** Returns runs of a test in a closed model, and in an open one with thresholds, which has no worker. */
export function bothModels(source: TestSource): BrokenRun[] {
  return [
    { how: "closed model", arguments: ["run", writeSource(source)] },
    {
      how: "open model, with thresholds, in one thread",
      arguments: [
        "run",
        writeSource({ thresholds: lenient, ...source, load: open }),
        ...(endsItsProcess(source) ? [] : ["--workers", "0"]),
      ],
    },
  ];
}

/** True if the test ends its process. The documentation has a separate row for such a test in one thread. */
function endsItsProcess({ exec }: TestSource): boolean {
  return exec.includes("process.exit");
}

/** Returns a run of the test as it is. */
export function once(source: TestSource, flags: readonly string[] = []): BrokenRun[] {
  return [{ how: "as it is", arguments: ["run", writeSource(source), ...flags] }];
}

/** Returns a run of a module that is not a test. */
export function moduleOf(text: string): BrokenRun[] {
  return [{ how: "as it is", arguments: ["run", writeTest(text)] }];
}
