// How much more or less does a request cost in one build than in another? Both apply load to one target at
// the same time, on the same core: other load on the machine affects both alike, so the ratio of their rates
// is known to within 1 % or 2 %, where consecutive runs differ by 30 %. The target runs on another core, and
// must be able to serve more than both request:
// `node bench/two-builds.ts <checkout before> <checkout after> [--rounds 10] [--core 0] -- <url> [options of
// bearhug]`
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { parseResult } from "bearhug";

import { median } from "./statistics.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "10" }, core: { type: "string", default: "0" } },
});
const [before, after, ...load] = positionals;
if (before === undefined || after === undefined || load.length === 0) {
  console.error(
    "Give two checkouts in which `pnpm build` has run, then -- and the URL and options for `bearhug`.",
  );
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "bearhug-two-builds-"));
try {
  const ratios: number[] = [];
  for (let round = 1; round <= Number(values.rounds); round++) {
    const [rateBefore, rateAfter] = await Promise.all([measure(before, "before"), measure(after, "after")]);
    ratios.push(rateAfter / rateBefore);
    console.log(
      `${round}: ${rateBefore.toFixed(0)}/s and ${rateAfter.toFixed(0)}/s, ${formatRatio(ratios.at(-1))}`,
    );
  }
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  console.log(
    `after / before: ${formatRatio(median(ratios))} (${formatRatio(least)} to ${formatRatio(most)})`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

/** Returns the requests per second of one build, with one worker. */
async function measure(checkout: string, name: string): Promise<number> {
  const report = join(folder, `${name}.json`);
  const launcher = join(resolve(checkout), "packages/cli/bin/bearhug.js");
  const command = [process.execPath, launcher, ...load, "--workers", "1", "--out", `json=${report}`];
  const child = spawn("taskset", ["-c", values.core, ...command], { stdio: ["ignore", "ignore", "inherit"] });
  await once(child, "exit");
  const { result, problems } = parseResult(JSON.parse(readFileSync(report, "utf8")));
  if (result === undefined) throw new Error(`${name}: ${JSON.stringify(problems)}`);
  const failed = result.metrics["http_req_failed"];
  if (failed?.type === "rate" && failed.values.rate > 0)
    throw new Error(`${name}: requests failed; is the target up? ${result.messages.join("; ")}`);
  const metric = result.metrics["http_reqs"];
  if (metric?.type !== "counter") throw new Error(`${name}: no requests`);
  return metric.values.rate;
}

function formatRatio(ratio = Number.NaN): string {
  return ratio.toFixed(3);
}
