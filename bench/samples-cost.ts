// Does writing every request slow the load? The rate that one worker reaches if 20,000 requests a second are
// planned, with `--out ndjson --samples all` divided by that without, from the built command line: medians of
// interleaved rounds. Samples may be shed, which is counted. `node bench/samples-cost.ts 5 4` makes five
// rounds of four seconds.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { TestResult } from "bearhug";

import { runTest } from "./bench-process.ts";
import { startQuickServer } from "./quick-server.ts";
import { median } from "./statistics.ts";

const wantedRatio = 0.9;
const ratePerSecond = 20_000;
const [rounds = 7, seconds = 5] = process.argv.slice(2).map(Number);

const server = await startQuickServer();
const folder = mkdtempSync(join(tmpdir(), "bearhug-samples-"));
const file = join(folder, "run.ndjson");
const source = `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    visitors: {
      executor: "constant-arrival-rate", rate: ${ratePerSecond}, duration: "${seconds}s", preAllocatedVUs: 64,
      exec: ({ http }) => http.get("/"),
    },
  },
});`;

console.log(`${ratePerSecond}/s for ${seconds} s a side to ${server.name}, Node ${process.version}`);
const ratios: number[] = [];
try {
  for (let round = 1; round <= rounds; round++) {
    const without = await reach();
    const sampled = await reach("--out", `ndjson=${file}`, "--samples", "all");
    ratios.push(sampled / without);
    console.log(
      `round ${round}: ${sampled.toFixed(0)}/s of ${without.toFixed(0)}/s, ratio ${(sampled / without).toFixed(3)}; ${lastLine()}`,
    );
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
const ratio = median(ratios);
console.log(`median ratio ${ratio.toFixed(3)}: at least ${wantedRatio} wanted`);
process.exitCode = ratio >= wantedRatio ? 0 : 1;

/** Returns the rate of requests that a run reached. */
async function reach(...options: readonly string[]): Promise<number> {
  const { result } = await runTest(source, "--workers", "1", ...options);
  return rateOf(result);
}

function rateOf({ metrics }: TestResult): number {
  const requests = metrics["http_reqs"];
  if (requests?.type !== "counter") throw new Error("no request was measured");
  return requests.values.rate;
}

/** Returns the counts of samples in the last line of the file. */
function lastLine(): string {
  const line = readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "";
  const { samples } = JSON.parse(line) as { samples: { written: number; shed: number } };
  return `${samples.written} samples written, ${samples.shed} shed`;
}
