// How many requests does a second of CPU make, beside k6? The same target, 64 virtual users with a connection each, one
// request with a tag and a check an iteration, bodies thrown away on both sides; CPU of the whole process from start to end.
// Median of five interleaved pairs of ten seconds. The command is $K6, or k6 of the path; `node bench/against-k6.ts 1 3`
// makes one pair of three seconds.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runTestBy } from "./bench-process.ts";
import { cpuSecondsOf } from "./cpu-seconds.ts";
import { median } from "./median.ts";
import { startQuickServer } from "./quick-server.ts";

const wantedRatio = 3;
const vus = 64;
const [pairs = 5, durationS = 10] = process.argv.slice(2).map(Number);
const k6 = process.env["K6"] ?? "k6";

const version = spawnSync(k6, ["version"], { encoding: "utf8" });
if (version.error === undefined) await compare(version.stdout.trim());
else
  console.log(
    "Skipped: there is no k6. Install it with `go install go.k6.io/k6/v2@latest`, or name it in K6.",
  );

interface Throughput {
  readonly requests: number;
  readonly cpuS: number;
}

async function compare(k6Version: string): Promise<void> {
  const server = await startQuickServer();
  console.log(
    `${durationS} s to ${server.name} on ${vus} connections; Node ${process.version}; ${k6Version}`,
  );
  const ratios: number[] = [];
  try {
    for (let pair = 1; pair <= pairs; pair++) {
      const [ours, theirs] = [await ofBearhug(server.url), await ofK6(server.url)];
      const ratio = ours.requests / ours.cpuS / (theirs.requests / theirs.cpuS);
      ratios.push(ratio);
      console.log(`pair ${pair}: bearhug ${told(ours)}; k6 ${told(theirs)}: ${ratio.toFixed(2)}`);
    }
  } finally {
    server.stop();
  }
  const ratio = median(ratios);
  console.log(`median ${ratio.toFixed(2)} times k6's requests per second per core (${wantedRatio} wanted)`);
  process.exitCode = ratio >= wantedRatio ? 0 : 1;
}

function told({ requests, cpuS }: Throughput): string {
  return `${Math.round(requests / cpuS)} a CPU second (${Math.round(requests / durationS)}/s, ${cpuS.toFixed(2)} s of CPU)`;
}

async function ofBearhug(url: string): Promise<Throughput> {
  const source = `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  http: { discardBodies: true },
  scenarios: {
    visitors: {
      executor: "constant-vus", vus: ${vus}, duration: "${durationS}s",
      exec: async ({ http, check }) => {
        const response = await http.get("/", { tags: { part: "front" } });
        check(response, { "status is 200": (r) => r.status === 200 });
      },
    },
  },
});`;
  const { result, used } = await runTestBy(source, ["--workers", "1"], cpuSecondsOf);
  const checked = result.checks.reduce((sum, { passes }) => sum + passes, 0);
  return { requests: checked, cpuS: used.cpuS };
}

async function ofK6(url: string): Promise<Throughput> {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-bench-k6-"));
  const script = join(folder, "script.js");
  writeFileSync(
    script,
    `import http from "k6/http";
import { check } from "k6";
export const options = { vus: ${vus}, duration: "${durationS}s", discardResponseBodies: true };
export default function () {
  const response = http.get("${url}/", { tags: { part: "front" } });
  check(response, { "status is 200": (r) => r.status === 200 });
}
export const handleSummary = ({ metrics }) => ({ stdout: String(metrics.checks.values.passes) });
`,
  );
  try {
    const { cpuS, output } = await cpuSecondsOf([k6, "run", "--quiet", "--no-usage-report", script]);
    return { requests: Number(output.trim()), cpuS };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
