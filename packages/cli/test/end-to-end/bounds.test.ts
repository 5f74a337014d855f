import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { readResult, startBearhug, temporaryFolder, writeTest, type Reported } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** Node and any run take half of it: a worker that kept the flood would need more. */
const mostMegabytesOfFlood = 500;

interface Measured extends Reported {
  /** The peak memory of the process. */
  readonly megabytes: number;
}

/** Runs a test in one worker and measures the memory that it takes. */
async function measure(source: string): Promise<Measured> {
  const folder = temporaryFolder();
  const peak = join(folder, "peak");
  const watch = writeTest(
    `import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
if (isMainThread) process.on("exit", () => writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));`,
    "watch.mjs",
  );
  const path = join(folder, "result.json");
  const arguments_ = ["run", writeTest(source), "--workers", "1", "--out", `json=${path}`];
  const ended = await startBearhug(arguments_, folder, {
    NODE_OPTIONS: `--import=${pathToFileURL(watch).href}`,
  });
  const result = readResult(path, ended);
  return { ...ended, result, megabytes: Number(readFileSync(peak, "utf8")) / 1024 };
}

/** Runs a test that executes this code many times in each of three iterations. */
async function flood(exec: string, times: number): Promise<Measured> {
  const server = await startServer();
  return measure(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    flood: { executor: "shared-iterations", vus: 3, iterations: 3, maxDuration: "2m", exec: async (context) => {
      for (let n = 0; n < ${times}; n++) await one(context, n);
    } },
  },
});
const one = async ({ http, tags, page, group, check, iteration, vu }: any, n: number) => {
  const unique = iteration.index + "-" + n + "-";
  ${exec}
};`);
}

describe("a run leaves a report, and takes bounded memory, although its test uses", () => {
  test.each([
    [
      "different tag values of 200 kB",
      400,
      `await http.get("/", { tags: { v: unique + "x".repeat(200_000) } });`,
    ],
    ["ever more tags of 1 kB", 500, `tags.set("t" + n, "x".repeat(1000)); await http.get("/");`],
    ["tag names that are all different", 1000, `await http.get("/", { tags: { [unique]: "x" } });`],
    [
      "different pages, groups, checks and names of 20 kB",
      350,
      `const long = unique + "x".repeat(20_000);
  await page(long, () => group(long, async () => {
    const answer = await http.get("/", { name: long });
    check(answer, { [long]: () => true });
  }));`,
    ],
  ])("%s", async (_name, times, exec) => {
    const { exitCode, result, megabytes, stdout, stderr } = await flood(exec, times);
    expect(exitCode, stdout + stderr).toBe(0);
    expectBalanced(result);
    expect(result.metrics["http_reqs"]).toMatchObject({ values: { count: 3 * times } });
    expect(stderr).toContain("are counted as (other)");
    expect(stdout.length + stderr.length).toBeLessThan(20_000);
    expect(megabytes).toBeGreaterThan(20);
    expect(megabytes).toBeLessThan(mostMegabytesOfFlood);
  });
});

test("virtual users that keep large bodies take bounded memory, and the run says why some bodies are missing", async () => {
  const body = Buffer.alloc(8 * 1024 * 1024 - 2, "x");
  let answers = 10;
  const server = await startServer((_request, response) => {
    // Each body is different: equal bodies would share memory.
    response.write(String(answers++));
    response.end(body);
  });
  const { exitCode, result, stdout, stderr, megabytes } =
    await measure(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  metrics: { kept: { type: "counter" }, refused: { type: "counter" } },
  scenarios: {
    keepers: { executor: "per-vu-iterations", vus: 60, iterations: 1, maxDuration: "2m", exec: async ({ http, metrics, think }) => {
      const answer = await http.get("/");
      await think("5s");
      try {
        if (answer.bytes().length === 8 * 1024 * 1024) metrics.kept.add(1);
      } catch (error) {
        if ((error as Error).name === "BodyUnavailableError") metrics.refused.add(1);
        else throw error;
      }
    } },
  },
});`);
  expect(exitCode, stdout + stderr).toBe(0);
  const counts = ["kept", "refused"].map((name) => result.metrics[name]?.values);
  const [kept, refused] = counts.map((values) =>
    values !== undefined && "count" in values ? values.count : 0,
  );
  expect((kept ?? 0) + (refused ?? 0)).toBe(60);
  expect(kept).toBeGreaterThanOrEqual(20);
  expect(refused).toBeGreaterThanOrEqual(20);
  expect(stderr.split("take more than 256 MiB in this worker").length).toBe(2);
  expect(megabytes).toBeLessThan(800);
});
