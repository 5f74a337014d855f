import { describe, expect, test } from "vitest";

import { runBearhug, temporaryFolder, writeTest } from "../end-to-end/run-bearhug.ts";
import { severalAtOnce } from "../import/several-at-once.ts";
import { brokenTargets, healthyTargets } from "./moods.ts";
import { startMoodyServer, type Moods } from "./moody-server.ts";

const onFailures = `http_req_failed: ["rate<5%"], checks: ["rate>95%"], iteration_failed: ["rate<5%"],`;
const onTimes = `http_req_duration: ["p(95)<5s"],`;

const models = {
  closed: `executor: "constant-vus", vus: 5, duration: "4s"`,
  open: `executor: "constant-arrival-rate", rate: 100, duration: "4s", maxVUs: 300`,
  counted: `executor: "shared-iterations", vus: 5, iterations: 2500, maxDuration: "20s"`,
};
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

const modes: Readonly<Record<string, Mode>> = {
  "one-liner, closed": (url) => [url, "-c", "5", "-d", "4s"],
  "one-liner, open": (url) => [url, "--rate", "100", "-d", "4s"],
  "one-liner, counted": (url) => [url, "-c", "5", "-n", "2500", "-d", "20s"],
  ...Object.fromEntries(
    Object.entries(models).flatMap(([model, load]) =>
      Object.entries(judged).map(([how, thresholds]): [string, Mode] => [
        `file, ${model}, ${how}`,
        (url) => ["run", testOf(url, load, thresholds)],
      ]),
    ),
  ),
};

/** They wait most of their time. */
const atOnce = 4;

/** Runs each mode against a server of its own. Returns the exit code and the first line of each. */
async function runAll(moods: Moods): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  await severalAtOnce(Object.keys(modes), atOnce, async (mode) => {
    const { url } = await startMoodyServer(moods);
    const { exitCode, stdout, stderr } = await runBearhug(modes[mode]?.(url) ?? [], temporaryFolder(), {
      BEARHUG_ALLOW_SATURATED: "true",
    });
    const [first = ""] = (stdout === "" ? stderr : stdout).split("\n");
    outcomes[mode] = `${exitCode} ${first}`;
  });
  return outcomes;
}

const timeout = 300_000;

describe("no run passes against a target that", () => {
  test.each(Object.entries(brokenTargets))("%s", { timeout }, async (_, moods) => {
    const outcomes = await runAll(moods);
    const passed = Object.entries(outcomes).filter(([, outcome]) => !outcome.startsWith("99 "));
    expect(passed).toEqual([]);
    expect(Object.keys(outcomes)).toHaveLength(Object.keys(modes).length);
  });
});

describe("every run passes against a target that", () => {
  test.each(Object.entries(healthyTargets))("%s", { timeout }, async (_, moods) => {
    const outcomes = await runAll(moods);
    const failed = Object.entries(outcomes).filter(([, outcome]) => !outcome.startsWith("0 "));
    expect(failed).toEqual([]);
    expect(Object.keys(outcomes)).toHaveLength(Object.keys(modes).length);
  });
});
