// Mutation testing: `pnpm mutate` adds the room and its tests (scripts/mutate.mjs). See docs/mutation-testing.md.
export default {
  testRunner: "vitest",
  // pnpm keeps packages apart: plugins are not found by themselves.
  plugins: ["@stryker-mutator/vitest-runner"],
  packageManager: "pnpm",
  coverageAnalysis: "perTest",
  // Tests start servers and threads of their own.
  concurrency: 2,
  // Most endless loops are found by counting; on a busy machine five seconds are soon over.
  timeoutMS: 20_000,
  incremental: true,
  reporters: ["clear-text", "html", "json"],
  clearTextReporter: { logTests: false, reportTests: false },
  // Copied for every run otherwise.
  ignorePatterns: ["dist", "bench", ".vscode"],
};
