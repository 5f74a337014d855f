import { fileURLToPath } from "node:url";

import { defineConfig, type UserWorkspaceConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests, and every process and thread that they start, read the packages' sources and never a stale build. */
const sourceCondition = "bearhug-source";

const all = ["packages/*/test/**/*.test.ts", "examples/**/*.test.ts", "bench/test/**/*.test.ts"];
const never = ["**/node_modules/**", "**/dist/**", "**/fixtures/**"];

/** Rooms whose tests start processes, and wait for them more than half of the time. */
const waiting = [
  "packages/cli/test/{action,browser,chaos,debugging,demo,docs,end-to-end,import,kept-process,mock,nginx,packaging,reporter-thread,terminal}/**/*.test.ts",
  "packages/vscode/test/real-command.test.ts",
  "examples/**/*.test.ts",
];

/** These look at everything that their process has open. */
const alone = ["packages/cli/test/{faults,net,run}/**/*.test.ts"];

/** These compare durations with what a server saw: on a busy machine the difference would be the machine's. */
const timed = [
  "packages/cli/test/end-to-end/{any-workers,scenarios}.test.ts",
  "packages/cli/test/http/delayed-phases/**/*.test.ts",
  "packages/cli/test/import/{recorded,replay}-timing.test.ts",
];

/** Files that take longest: each starts before the others of its project, so that none is left when they have ended. */
const longest = [
  "docs/cookbook",
  "packaging/first-ten-minutes",
  "end-to-end/verdict-table/",
  "end-to-end/examples",
  "import/recorded-timing",
  "end-to-end/any-workers",
  "docs/cookbook",
  "packaging/first-ten-minutes",
  "import/chromium-demo",
  "end-to-end/outputs",
  "end-to-end/lost-workers",
  "import/run-capture",
  "import/pairs-run",
  "end-to-end/recordings",
  "end-to-end/generator-verdict",
  "end-to-end/bounds",
  "end-to-end/killed-runs",
  "end-to-end/leaving",
  "end-to-end/overload",
  "nginx/ten-thousand",
  "import/many-entries",
  "test/planted-secrets",
  "test/any-capture",
  "sdk/test/type-versions",
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

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((own) => {
      const inProject = sorted.filter(({ project }) => project === own);
      return inProject.toSorted((left, right) => placeOf(left) - placeOf(right));
    });
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((name) => moduleId.includes(name));
  return place === -1 ? longest.length : place;
}

export default defineConfig({
  test: {
    globalSetup: ["vitest.command.setup.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      project("alone", { include: alone, isolate: true }),
      project("waiting", { include: waiting, exclude: timed }),
      project("units", { include: all, exclude: [...alone, ...waiting, ...timed] }),
      // They wait nearly all of the time: four at once still leave a core free.
      project("timed", { include: timed, maxWorkers: 4, sequence: { groupOrder: 1 } }),
    ],
  },
});

type Options = NonNullable<UserWorkspaceConfig["test"]>;

/** Files share processes, so that not each of them starts one and imports everything again, and more run at once than there are cores. */
function project(name: string, options: Options): UserWorkspaceConfig {
  const { exclude = [], ...others } = options;
  return {
    ...shared,
    test: {
      ...shared.test,
      name,
      isolate: false,
      maxWorkers: 6,
      // Machines that check are shared: a process may get no time for seconds. What is wrong fails twice; a test that
      // failed once is named at the end of the check.
      retry: 1,
      ...others,
      exclude: [...never, ...exclude],
    },
  };
}
