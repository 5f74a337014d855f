export * from "@bearhug/sdk";
export { InvalidInput } from "./invalid-input.ts";
export { runTest } from "./run/run-test.ts";
export type { RunTestOptions } from "./run/run-test-options.ts";
