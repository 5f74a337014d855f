import type { Test, TestResult } from "@bearhug/sdk";

import type { RunTestOptions } from "./run-test-options.ts";

/**
 * Runs a load test and resolves with its result, whatever the verdict: a threshold that fails does not reject.
 *
 * A file (a path, or a `file:` URL) runs in worker threads, as `bearhug run` runs it. An address (`http:` or `https:`) is
 * loaded with 10 VUs for 10 s, as `bearhug <url>` loads it. A test object runs in this thread, because its functions cannot
 * be sent to another: the load and the rest of the program then share one event loop.
 *
 * The process stays as it is: no signal is caught, no exit code set, and what a run changed while it went on (the global
 * `fetch`, in this thread) is put back. Run one test after another: two loads at once measure each other.
 *
 * @throws {InvalidInput} with one sentence for each problem of the test and the options, before anything is sent
 */
export async function runTest(test: string | URL | Test, options: RunTestOptions = {}): Promise<TestResult> {
  // A test file that imports defineTest from here must not load the engine's coordinator with it.
  const { runInProcess } = await import("./run-in-process.ts");
  return runInProcess(test, options);
}
