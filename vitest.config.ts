import { fileURLToPath } from "node:url";

import { defineConfig, type UserWorkspaceConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests, and every process and thread that they start, read the packages' sources and never a stale build. */
const sourceCondition = "bearhug-source";

const all = ["packages/*/test/**/*.test.ts", "examples/**/*.test.ts", "bench/test/**/*.test.ts"];
/** Those of `peers` take minutes: `pnpm test:peers` runs them. */
const never = ["**/node_modules/**", "**/dist/**", "**/fixtures/**", "packages/cli/test/peers/**"];

/** Rooms whose tests start processes, and wait for them more than half of the time. */
const waiting = [
  "packages/cli/test/{action,broken-targets,browser,chaos,debugging,demo,docs,end-to-end,import,kept-process,mock,nginx,packaging,reporter-thread,terminal}/**/*.test.ts",
  "packages/engine/test/worker/unanswered.test.ts",
  "packages/vscode/test/real-command.test.ts",
  "examples/**/*.test.ts",
];

/** These look at everything that their process has open. */
const alone = [
  "packages/cli/test/{faults,run}/**/*.test.ts",
  "packages/http/test/net/**/*.test.ts",
  "packages/engine/test/run/**/*.test.ts",
];

/** These compare durations with what a server saw, or load a target to its limit: on a busy machine the difference would be the machine's. */
const timed = [
  "packages/cli/test/end-to-end/{any-workers,capacity,heap,overload,scenarios}.test.ts",
  "packages/http/test/{closing-first,response-timing}.test.ts",
  "packages/http/test/delayed-phases/**/*.test.ts",
  "packages/cli/test/import/{recorded-timing/*,replay-timing}.test.ts",
];

/**
 * Files that take longest: each starts before the others, so that none is left when they have ended. Units are the
 * exception: beside the tests that wait they get little of a core, and those that compute for long would time out.
 * So these come last.
 */
const longest = [
  "end-to-end/capacity",
  "end-to-end/heap",
  "docs/cookbook",
  "end-to-end/examples",
  "end-to-end/verdict-table/",
  "import/chromium-demo",
  "packaging/first-ten-minutes",
  "import/replay-timing",
  "import/recorded-timing/",
  "end-to-end/any-workers",
  "end-to-end/overload",
  "http/test/delayed-phases/",
  "end-to-end/outputs",
  "docs/how-do-i-page",
  "end-to-end/code-of-setup",
  "docs/skills",
  "end-to-end/lost-workers",
  "import/run-capture",
  "import/oracle.test",
  "import/pairs-run",
  "end-to-end/recordings",
  "end-to-end/generator-verdict",
  "end-to-end/bounds",
  "end-to-end/killed-runs",
  "end-to-end/leaving",
  "nginx/ten-thousand",
  "import/many-entries",
  "faults/fault-matrix.",
  "faults/fuzz",
  "kept-process/",
  "end-to-end/late-generator",
  "end-to-end/windows",
  "end-to-end/random-signals",
  "packaging/publish",
  "run/run-test",
  "run/led-runs",
  "run/ndjson",
  "several-machines",
  "worker/unanswered",
  "mcp/test/bounds",
  "har-import/test/planted-secrets",
  "documents/json-documents",
  "html/report-page",
  "test-set/check-tests",
  "test/any-capture",
  "comparison/false-alarms",
  "sdk/test/type-versions",
  "mcp/test/",
  "outcome/bounded-result",
  "test-set/several-tests",
  "source/any-source",
];

/** The options of every project, that of mutation testing included. */
export const shared = {
  resolve: { conditions: [sourceCondition] },
  ssr: { resolve: { conditions: [sourceCondition], externalConditions: [sourceCondition] } },
  test: {
    pool: "forks",
    // Tests make many short-lived objects: with room for more of them, and a heap that is large from the start, they
    // take a seventh less CPU.
    execArgv: [`--conditions=${sourceCondition}`, "--max-semi-space-size=64", "--initial-heap-size=500"],
    // A busy machine takes a minute for what takes seconds alone.
    testTimeout: 180_000,
    // A hook that failed is not tried again, as a test is.
    hookTimeout: 180_000,
    restoreMocks: true,
    // Hundreds of tests start processes: compiling the same code each time would take half of all CPU time.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)) },
    setupFiles: [fileURLToPath(new URL("tools/vitest/seed-setup.ts", import.meta.url))],
    // On a busy machine a process waits for seconds; after 5 s, a server of Node closes idle connections by itself.
    expect: { requireAssertions: false, poll: { timeout: 4000 } },
  },
} satisfies UserWorkspaceConfig;

/** Of files that take about as long, those that wait come first: lint and types are checked meanwhile. */
const order = ["waiting", "alone", "units", "timed"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const orderOf = ({ project }: TestSpecification): number => order.indexOf(project.name);
    return sorted.toSorted((left, right) => placeOf(left) - placeOf(right) || orderOf(left) - orderOf(right));
  }
}

function placeOf({ moduleId, project }: TestSpecification): number {
  const place = longest.findIndex((name) => moduleId.includes(name));
  if (place !== -1) return place;
  return project.name === "units" ? -1 : longest.length;
}

export default defineConfig({
  test: {
    globalSetup: ["tools/vitest/command-setup.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      project("alone", { include: alone, isolate: true }),
      project("waiting", { include: waiting, exclude: timed }),
      // These compute: more workers than keep two cores busy would only import the same modules more often.
      project("units", {
        include: all,
        exclude: [...alone, ...waiting, ...timed],
        maxWorkers: 3,
        sequence: { groupOrder: 1 },
      }),
      // They wait nearly all of the time: six at once still leave a core free.
      project("timed", { include: timed, maxWorkers: 6, sequence: { groupOrder: 2 } }),
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
      // More hardly make the check shorter, because units and lint use the time that these wait, and saturate load
      // generators of tests.
      maxWorkers: 5,
      // Machines that check are shared: a process may get no time for seconds. A fault fails twice; a test that
      // failed and then passed is named at the end of the check.
      retry: 1,
      ...others,
      exclude: [...never, ...exclude],
    },
  };
}
