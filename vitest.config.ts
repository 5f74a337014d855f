import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

/** Tests, and every process and thread that they start, read the packages' sources and never a stale build. */
const sourceCondition = "bearhug-source";

export default defineConfig({
  resolve: { conditions: [sourceCondition] },
  ssr: { resolve: { conditions: [sourceCondition], externalConditions: [sourceCondition] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "examples/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "**/fixtures/**"],
    pool: "forks",
    // Tests start servers, processes and threads, and wait for them half of the time; many more at once would starve two cores.
    maxWorkers: 3,
    execArgv: [`--conditions=${sourceCondition}`],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    restoreMocks: true,
    // Hundreds of tests start the command from its sources: compiling them each time took half of all CPU time.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)) },
    expect: { requireAssertions: false },
  },
});
