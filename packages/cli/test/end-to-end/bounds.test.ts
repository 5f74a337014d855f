import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { readResult, startBearhug, temporaryFolder, writeTest, type Reported } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const mostMegabytes = 800;

interface Measured extends Reported {
  /** The most memory that the process ever held. */
  readonly megabytes: number;
}

/** Runs a test that makes 3,000 requests, and measures the memory that it takes. */
async function runMeasured(exec: string): Promise<Measured> {
  const server = await startServer();
  const folder = temporaryFolder();
  const peak = join(folder, "peak");
  const watch = writeTest(
    `import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
if (isMainThread) process.on("exit", () => writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));`,
    "watch.mjs",
  );
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    flood: { executor: "shared-iterations", vus: 3, iterations: 3, maxDuration: "2m", exec: async (context) => {
      for (let n = 0; n < 1000; n++) await one(context, n);
    } },
  },
});
const one = async ({ http, tags, page, group, check, iteration, vu }: any, n: number) => {
  const unique = iteration.index + "-" + n + "-";
  ${exec}
};`);
  const path = join(folder, "result.json");
  const arguments_ = ["run", file, "--workers", "1", "--out", `json=${path}`];
  const ended = await startBearhug(arguments_, folder, {
    NODE_OPTIONS: `--import=${pathToFileURL(watch).href}`,
  });
  const result = readResult(path, ended);
  return { ...ended, result, megabytes: Number(readFileSync(peak, "utf8")) / 1024 };
}

describe(
  "a run whose test does this to its tags leaves a report, in bounded memory:",
  { timeout: 180_000 },
  () => {
    test.each([
      [
        "values of 200 kB, each another",
        `await http.get("/", { tags: { v: unique + "x".repeat(200_000) } });`,
      ],
      ["ever more of 1 kB", `tags.set("t" + n, "x".repeat(1000)); await http.get("/");`],
      ["names that are all different", `await http.get("/", { tags: { [unique]: "x" } });`],
      [
        "pages, groups, checks and names of 20 kB, each another",
        `const long = unique + "x".repeat(20_000);
  await page(long, () => group(long, async () => {
    const answer = await http.get("/", { name: long });
    check(answer, { [long]: () => true });
  }));`,
      ],
    ])("%s", async (_name, exec) => {
      const { exitCode, result, megabytes, stdout, stderr } = await runMeasured(exec);
      expect(exitCode, stdout + stderr).toBe(0);
      expectBalanced(result);
      expect(result.metrics["http_reqs"]).toMatchObject({ values: { count: 3000 } });
      expect(stderr).toContain("is counted as (other)");
      expect(stdout.length + stderr.length).toBeLessThan(20_000);
      expect(megabytes).toBeGreaterThan(20);
      expect(megabytes).toBeLessThan(mostMegabytes);
    });
  },
);
