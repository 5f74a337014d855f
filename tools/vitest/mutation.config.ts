import { fileURLToPath } from "node:url";

import { configDefaults, defineConfig } from "vitest/config";

import { shared } from "../../vitest.config.ts";

/** The tests of one mutated folder, as globs: set by tools/mutate.mjs. */
const { MUTATION_TESTS: tests = "" } = process.env;

function sourceOf(path: string): string {
  return fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));
}

export default defineConfig({
  ...shared,
  // In the mutated copy, packages would resolve to each other's unchanged sources.
  resolve: {
    ...shared.resolve,
    alias: [
      { find: /^@bearhug\/sdk$/, replacement: sourceOf("sdk/src/index.ts") },
      { find: /^@bearhug\/sdk\/result$/, replacement: sourceOf("sdk/src/result.ts") },
      { find: /^@bearhug\/sdk\/internal$/, replacement: sourceOf("sdk/src/internal.ts") },
      // The exports of the other packages are named like their files.
      { find: /^@bearhug\/(text|metrics)\/(.*)$/, replacement: sourceOf("$1/src/$2.ts") },
      { find: /^@bearhug\/(plan|http|engine|report)\/(.*)$/, replacement: sourceOf("$1/src/$2.ts") },
    ],
  },
  test: {
    ...shared.test,
    // Some of the tests start the command.
    globalSetup: ["tools/vitest/command-setup.ts"],
    // Tests run in threads, which take no flags of V8.
    execArgv: shared.test.execArgv.filter((flag) => flag.startsWith("--conditions=")),
    include: tests.split(",").map((glob) => `${glob}.test.ts`),
    setupFiles: [...shared.test.setupFiles, "tools/vitest/mutation-setup.ts"],
    exclude: [
      ...configDefaults.exclude,
      "**/fixtures/**",
      // These take seconds, and every mutant that they reach would have to wait for them.
      "**/{completions,confidence-coverage,result-size,running-accounts,tag-floods,timed-out-phases,timeouts,type-versions}.test.ts",
    ],
  },
});
