import { expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, runBearhug, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

test("scenarios run in parallel and in sequence, each with its own env and tags", async () => {
  const seen: { path: string; atMs: number }[] = [];
  const server = await startServer((request, response) => {
    seen.push({ path: request.url ?? "", atMs: performance.now() });
    response.end();
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  env: { REGION: { default: "eu" }, TIER: { default: "free" } },
  scenarios: {
    first: {
      executor: "shared-iterations", vus: 2, iterations: 20, tags: { team: "a" },
      exec: ({ http, env }) => http.get("/first/" + env.REGION + "/" + env.TIER),
    },
    beside: {
      executor: "per-vu-iterations", vus: 2, iterations: 10, env: { REGION: "us" }, tags: { team: "b", tier: "gold" },
      exec: ({ http, env }) => http.get("/beside/" + env.REGION + "/" + env.TIER),
    },
    later: {
      executor: "constant-arrival-rate", rate: 40, duration: "500ms", startTime: "1s",
      exec: ({ http, env, scenario }) => http.get("/" + scenario.name + "/" + env.REGION),
    },
  },
});`);
  const { exitCode, result } = await runForResult(["run", file, "--workers", "2", "--tag", "build=17"]);
  expect(exitCode).toBe(0);
  expectBalanced(result);
  expect(Object.fromEntries(server.counts)).toEqual({
    "GET /first/eu/free": 20,
    "GET /beside/us/free": 20,
    "GET /later/eu": 20,
  });
  const tagged = result.series
    .filter(({ metric, tags }) => metric === "http_reqs" && tags["scenario"] !== undefined)
    .map(({ tags: { scenario, team, tier, build }, values }) => [
      scenario,
      team,
      tier,
      build,
      values["count"],
    ]);
  expect(tagged.toSorted()).toEqual([
    ["beside", "b", "gold", "17", 20],
    ["first", "a", undefined, "17", 20],
    ["later", undefined, undefined, "17", 20],
  ]);
  const startMs = seen[0]?.atMs ?? 0;
  const later = seen.filter(({ path }) => path.startsWith("/later"));
  // The first request came a little after the start, so 300 ms are allowed for that.
  for (const { atMs } of later) expect(atMs - startMs).toBeGreaterThan(700);
});

/** Returns a test that sends every VU, index and random number to the server. */
const reportingTest = (url: string): string => `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  setup: () => ({ rows: [{ name: "a" }] }),
  scenarios: {
    counted: {
      executor: "per-vu-iterations", vus: 4, iterations: 5,
      exec: ({ http, vu, iteration, random }) =>
        http.get("/counted/" + vu.id + "/" + iteration.index + "/" + iteration.indexInVu + "/" + random.integer(1, 1e9), { name: "each" }),
    },
    timed: {
      executor: "constant-vus", vus: 3, duration: "400ms",
      exec: async ({ http, vu, iteration, sleep }) => {
        await http.get("/timed/" + vu.id + "/" + iteration.index, { name: "each" });
        await sleep(20);
      },
    },
    due: {
      executor: "constant-arrival-rate", rate: 50, duration: "400ms", arrivals: "poisson",
      exec: async ({ http, vu, iteration, data, check, sleep }) => {
        let isFrozen = false;
        try { (data.rows as unknown[]).push({ name: "b" }); } catch { isFrozen = true; }
        check(data, { "is frozen": () => isFrozen && Object.isFrozen(data.rows[0]) });
        await http.get("/due/" + vu.id + "/" + iteration.index, { name: "each" });
        await sleep(10);
      },
    },
  },
});`;

test("indexes and VUs are unique over scenarios and workers, data is frozen, and a seed repeats a run", async () => {
  const observe = async (options: readonly string[]) => {
    const server = await startServer();
    const { exitCode, result } = await runForResult([
      "run",
      writeTest(reportingTest(server.url)),
      ...options,
    ]);
    expect(exitCode).toBe(0);
    expectBalanced(result);
    expect(result.checks).toMatchObject([{ name: "is frozen", fails: 0 }]);
    const paths = [...server.counts.keys()].map((line) => line.slice("GET /".length).split("/"));
    expect(server.total()).toBe(paths.length);
    return {
      result,
      paths,
      of: (scenario: string) => paths.filter(([name]) => name === scenario).toSorted(),
    };
  };
  const one = await observe(["--workers", "3", "--seed", "11"]);
  const indexes = one.paths.map(([, , index]) => index);
  expect(new Set(indexes).size).toBe(indexes.length);
  const vusOf = (scenario: string) => new Set(one.of(scenario).map(([, vu]) => vu));
  expect(vusOf("counted")).toEqual(new Set(["1", "2", "3", "4"]));
  expect(vusOf("timed")).toEqual(new Set(["5", "6", "7"]));
  for (const vu of vusOf("due")) expect(Number(vu)).toBeGreaterThan(7);

  const again = await observe(["--workers", "1", "--seed", "11"]);
  expect(again.of("counted")).toEqual(one.of("counted"));
  expect(
    again
      .of("due")
      .map(([, , index]) => index)
      .toSorted(),
  ).toEqual(
    one
      .of("due")
      .map(([, , index]) => index)
      .toSorted(),
  );
  const other = await observe(["--workers", "3", "--seed", "12"]);
  expect(other.of("counted")).not.toEqual(one.of("counted"));
  // The number of arrivals is random, but the same for the same seed.
  expect(again.of("due")).toHaveLength(one.of("due").length);
});

test("an impossible load is refused with a sentence for each problem, exit 104", async () => {
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  scenarios: {
    a: { executor: "constant-arrival-rate", rate: 1e300, duration: "10s", exec: () => {} },
    b: { executor: "per-vu-iterations", vus: 1e6, iterations: 1e6, exec: () => {} },
    c: { executor: "ramping-arrival-rate", stages: [{ duration: "1h", target: 1e9 }], exec: () => {} },
    d: { executor: "shared-iterations", iterations: 2 ** 31, exec: () => {} },
    e: { executor: "ramping-vus", stages: [{ duration: "1m", target: 1e12 }], exec: () => {} },
    f: { executor: "constant-vus", vus: 1e15, duration: "1s", exec: () => {} },
  },
});`);
  const { exitCode, stderr } = await runBearhug(["run", file]);
  expect(exitCode).toBe(104);
  for (const name of ["a", "b", "c", "d", "e", "f"]) expect(stderr).toContain(`Scenario ${name}: `);
});
