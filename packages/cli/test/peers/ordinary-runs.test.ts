import { describe, expect, test } from "vitest";

import { runBearhug, temporaryFolder, writeTest } from "../end-to-end/run-bearhug.ts";
import { severalAtOnce } from "../import/several-at-once.ts";
import { brokenTargets, hangingNowAndThen, healthyTargets, restarting } from "./moods.ts";
import { startMoodyServer, type Moods } from "./moody-server.ts";

const onFailures = `http_req_failed: ["rate<5%"], checks: ["rate>95%"], iteration_failed: ["rate<5%"],`;
const onTimes = `http_req_duration: ["p(95)<5s"],`;

/** The iterations of a counted run, and the time that they may take. */
interface Count {
  readonly iterations: number;
  readonly within: string;
}

/** Enough for a target to break during the run. */
const manyIterations: Count = { iterations: 3500, within: "8s" };
/** Few enough for a slow target to finish in time. */
const fewIterations: Count = { iterations: 200, within: "30s" };

const modelsOf = ({ iterations, within }: Count): Readonly<Record<string, string>> => ({
  closed: `executor: "constant-vus", vus: 5, duration: "4s"`,
  open: `executor: "constant-arrival-rate", rate: 100, duration: "4s", maxVUs: 300`,
  counted: `executor: "shared-iterations", vus: 5, iterations: ${iterations}, maxDuration: "${within}"`,
});
const judged = { "without thresholds": "", "on times": onTimes, "on failures": onTimes + onFailures };

function testOf(url: string, load: string, thresholds: string): string {
  return writeTest(`
    import { defineTest } from "@bearhug/sdk";
    export default defineTest({
      name: "visits",
      baseUrl: "${url}",
      scenarios: {
        visits: {
          ${load},
          gracefulStop: "2s",
          exec: async ({ http, check }) => {
            check(await http.get("/"), { answered: ({ status }) => status === 200 });
          },
        },
      },
      thresholds: { ${thresholds} },
    });
  `);
}

type Mode = (url: string) => readonly string[];

const modesOf = (count: Count): Readonly<Record<string, Mode>> => ({
  "one-liner, closed": (url) => [url, "-c", "5", "-d", "4s"],
  "one-liner, open": (url) => [url, "--rate", "100", "-d", "4s"],
  "one-liner, counted": (url) => [url, "-c", "5", "-n", String(count.iterations), "-d", count.within],
  ...Object.fromEntries(
    Object.entries(modelsOf(count)).flatMap(([model, load]) =>
      Object.entries(judged).map(([how, thresholds]): [string, Mode] => [
        `file, ${model}, ${how}`,
        (url) => ["run", testOf(url, load, thresholds)],
      ]),
    ),
  ),
});

/** Runs wait most of the time, so many can share a core. */
const atOnce = 12;

interface Wanted {
  readonly count: Count;
  readonly exitCode: number;
  /** Matches the names of the modes to run. @default all */
  readonly of?: RegExp;
}

/** Runs modes, each against its own server. Returns those with another exit code, with their first line. */
async function endingUnexpectedly(
  moods: Moods,
  { count, exitCode, of = /^/ }: Wanted,
): Promise<readonly string[]> {
  const modes = Object.entries(modesOf(count)).filter(([mode]) => of.test(mode));
  const arguments_ = new Map(modes);
  const outcomes = await severalAtOnce([...arguments_.keys()], atOnce, async (mode) => {
    const { url } = await startMoodyServer(moods);
    const ended = await runBearhug(arguments_.get(mode)?.(url) ?? [], temporaryFolder());
    const [first = ""] = (ended.stdout === "" ? ended.stderr : ended.stdout).split("\n");
    if (ended.exitCode !== exitCode) throw new Error(`exit code ${ended.exitCode}: ${first}`);
  });
  return Object.entries(outcomes)
    .filter(([, outcome]) => outcome !== "passed")
    .map(([mode, outcome]) => `${mode}: ${outcome.split("\n")[0]}`);
}

const timeout = 300_000;
const failing = { count: manyIterations, exitCode: 99 };
const passing = { count: fewIterations, exitCode: 0 };

describe("no run passes against a target that", () => {
  test.each(Object.entries(brokenTargets))("%s", { timeout }, async (_, moods) => {
    expect(await endingUnexpectedly(moods, failing)).toEqual([]);
  });
});

describe("no closed run passes, though open ones may, against a target that", () => {
  test.each(Object.entries(hangingNowAndThen))("%s", { timeout }, async (_, moods) => {
    expect(await endingUnexpectedly(moods, { ...failing, of: /closed|counted/ })).toEqual([]);
    expect(await endingUnexpectedly(moods, { ...passing, of: /open/ })).toEqual([]);
  });
});

describe("every run passes against a target that", () => {
  test.each(Object.entries(healthyTargets))("%s", { timeout }, async (_, moods) => {
    expect(await endingUnexpectedly(moods, passing)).toEqual([]);
  });
});

describe("every closed run passes against a target that", () => {
  test.each(Object.entries(restarting))("%s", { timeout }, async (_, moods) => {
    expect(await endingUnexpectedly(moods, { ...passing, of: /closed/ })).toEqual([]);
  });
});
