import type { Test, TestResult } from "@bearhug/sdk";

import type { RunTestOptions } from "./run-test-options.ts";

/**
 * Runs a load test and resolves with its result, whatever the verdict: a threshold that fails does not
 * reject.
 *
 * A file (a path, or a `file:` URL) runs in worker threads, as with `bearhug run`. An address (`http:` or
 * `https:`) is loaded with 10 VUs for 10 s, as with `bearhug <url>`. A test object runs in this thread,
 * because its functions cannot be sent to another: the load and the rest of the program then share one event
 * loop.
 *
 * The process stays as it is: no signal is caught, no exit code is set, and globals that the run replaced
 * (such as `fetch` in this thread) are restored. Run one test after another: concurrent loads would distort
 * each other's measurements.
 *
 * @throws {InvalidInput} with one sentence for each problem of the test and the options, before anything is sent
 */
export async function runTest(test: string | URL | Test, options: RunTestOptions = {}): Promise<TestResult> {
  // A test file that imports defineTest from here must not load the engine's coordinator with it.
  const { runInProcess } = await import("./run-in-process.ts");
  return runInProcess(test, options);
}
