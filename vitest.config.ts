import { fileURLToPath } from "node:url";

import { defineConfig, type UserWorkspaceConfig } from "vitest/config";

/** Tests, and every process and thread that they start, read the packages' sources and never a stale build. */
const sourceCondition = "bearhug-source";

const all = ["packages/*/test/**/*.test.ts", "examples/**/*.test.ts"];
const never = ["**/node_modules/**", "**/dist/**", "**/fixtures/**"];

/** Rooms whose tests start processes, and wait for them more than half of the time. */
const waiting = [
  "packages/cli/test/{chaos,demo,docs,end-to-end,import,mock,nginx,packaging,reporter-thread}/**/*.test.ts",
  "examples/**/*.test.ts",
];

/** These look at everything that their process has open. */
const alone = ["packages/cli/test/{faults,net,run}/**/*.test.ts"];

/** These compare durations with what a server saw: on a busy machine the difference would be the machine's. */
const timed = [
  "packages/cli/test/end-to-end/{any-workers,scenarios}.test.ts",
  "packages/cli/test/http/delayed-phases/**/*.test.ts",
  "packages/cli/test/import/replay-timing.test.ts",
];

/** What every project has, that of mutation testing included. */
export const shared = {
  resolve: { conditions: [sourceCondition] },
  ssr: { resolve: { conditions: [sourceCondition], externalConditions: [sourceCondition] } },
  test: {
    pool: "forks",
    execArgv: [`--conditions=${sourceCondition}`],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    // Hundreds of tests start processes: compiling the same code each time would take half of all CPU time.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)) },
    setupFiles: [fileURLToPath(new URL("vitest.seed.setup.ts", import.meta.url))],
    expect: { requireAssertions: false },
  },
} satisfies UserWorkspaceConfig;

export default defineConfig({
  test: {
    globalSetup: ["vitest.command.setup.ts"],
    projects: [
      project("alone", { include: alone, isolate: true }),
      project("waiting", { include: waiting, exclude: timed }),
      project("units", { include: all, exclude: [...alone, ...waiting, ...timed] }),
      project("timed", { include: timed, maxWorkers: 1, sequence: { groupOrder: 1 } }),
    ],
  },
});

type Options = NonNullable<UserWorkspaceConfig["test"]>;

/** Files share processes, so that not each of them starts one and imports everything again, and more run at once than there are cores. */
function project(name: string, options: Options): UserWorkspaceConfig {
  const { exclude = [], ...others } = options;
  return {
    ...shared,
    test: { ...shared.test, name, isolate: false, maxWorkers: 4, ...others, exclude: [...never, ...exclude] },
  };
}
