// Mutation testing: `pnpm mutate` (tools/mutate.mjs) selects the folder and the tests, see CONTRIBUTING.md.
const { MUTATION_CACHE: cache = "node_modules/.cache/mutation" } = process.env;

export default {
  testRunner: "vitest",
  // pnpm isolates packages, so plugins are not found automatically.
  plugins: ["@stryker-mutator/vitest-runner"],
  packageManager: "pnpm",
  vitest: { configFile: "tools/vitest/mutation.config.ts", related: false, pool: "threads" },
  coverageAnalysis: "perTest",
  // Mutants in code that only runs while modules load (lists, texts, schemas) would need every test, which
  // takes most of the time.
  ignoreStatic: true,
  // It writes a comment into each file under src and test: golden files would differ. Vitest checks no types.
  disableTypeChecks: false,
  // Tests start their own servers and threads.
  concurrency: 2,
  // Most endless loops are detected by counting; five seconds would be too short on a busy machine.
  timeoutMS: 20_000,
  incremental: true,
  incrementalFile: `${cache}/results.json`,
  reporters: ["clear-text", "html", "json"],
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: `${cache}/report.html` },
  jsonReporter: { fileName: `${cache}/report.json` },
  // Without this, these folders would be copied for every run. `/`: only in the root.
  ignorePatterns: ["dist", "/bench", "/.vscode"],
};
