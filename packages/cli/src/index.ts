export * from "@bearhug/sdk";
export { runTest } from "./run/run-test.ts";
export type { RunTestOptions } from "./run/run-test-options.ts";
