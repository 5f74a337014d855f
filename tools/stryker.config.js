// Mutation testing: `pnpm mutate` (tools/mutate.mjs) says which room and tests, see CONTRIBUTING.md.
const { MUTATION_CACHE: cache = "node_modules/.cache/mutation" } = process.env;

export default {
  testRunner: "vitest",
  // pnpm keeps packages apart: plugins are not found by themselves.
  plugins: ["@stryker-mutator/vitest-runner"],
  packageManager: "pnpm",
  vitest: { configFile: "tools/vitest/mutation.config.ts", related: false, pool: "threads" },
  coverageAnalysis: "perTest",
  // What is only reached while modules load (lists, texts, schemas) would have to run every test, for most of the time.
  ignoreStatic: true,
  // Tests start servers and threads of their own.
  concurrency: 2,
  // Most endless loops are found by counting; on a busy machine five seconds are soon over.
  timeoutMS: 20_000,
  incremental: true,
  incrementalFile: `${cache}/results.json`,
  reporters: ["clear-text", "html", "json"],
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: `${cache}/report.html` },
  jsonReporter: { fileName: `${cache}/report.json` },
  // Copied for every run otherwise.
  ignorePatterns: ["dist", "bench", ".vscode"],
};
