// `pnpm soak`: does memory stay flat in a long run? Ten minutes (or SOAK_MINUTES) of pages, checks, own
// metrics and failing requests at 300 iterations/s. Every thread's heap, measured after a collection every
// ten seconds, must grow by less than 1 MB a minute from the second minute on. The intervals of the result
// are outside the heap, until there are 600 of them.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { runTestWith, startServer } from "./bench-process.ts";

const minutes = Number(process.env["SOAK_MINUTES"] ?? 10);
const settledAfterMs = 60_000;
const wantedMbPerMinute = 1;

interface HeapSample {
  readonly threadId: number;
  readonly atMs: number;
  readonly heapUsed: number;
  readonly external: number;
}

const folder = mkdtempSync(join(tmpdir(), "bearhug-soak-"));
const log = join(folder, "heap.ndjson");
process.env["HEAP_LOG_FILE"] = log;
const probe = fileURLToPath(new URL("heap-probe.mjs", import.meta.url));
const server = await startServer();
try {
  const { result, peakRssMb } = await runTestWith(
    ["--expose-gc", "--import", probe],
    `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  metrics: { basket_size: { type: "trend" } },
  scenarios: {
    visitors: {
      executor: "constant-arrival-rate", rate: 300, duration: "${minutes}m", arrivals: "poisson", maxVUs: 200,
      exec: async ({ http, page, group, check, metrics, random, iteration, tags }) => {
        tags.set("kind", random.pick(["new", "known"]));
        await page(\`page \${iteration.index % 20}\`, async () => {
          const home = await http.get(\`/wait?\${random.integer(1, 5)}\`, { name: \`GET /item/\${iteration.index % 50}\` });
          check(home, { "status is 200": (r) => r.status === 200 });
        });
        await group("basket", () => http.post("/", { json: { id: iteration.index }, expect: [201] }));
        metrics.basket_size.add(random.integer(1, 9));
        if (iteration.index % 100 === 0) throw new Error(\`unlucky \${iteration.index}\`);
      },
    },
  },
  thresholds: { http_req_duration: [{ threshold: "p(95)<10s", window: "10s", abortOnFail: true }] },
});`,
    "--workers",
    "2",
  );
  const samples = readFileSync(log, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as HeapSample);
  const threads = new Set(samples.map(({ threadId }) => threadId));
  let worst = -Infinity;
  for (const thread of threads) {
    const settled = samples.filter(({ threadId, atMs }) => threadId === thread && atMs >= settledAfterMs);
    if (settled.length < 3) continue;
    const heap = slopePerMinute(settled, ({ heapUsed }) => heapUsed);
    const outside = slopePerMinute(settled, ({ external }) => external);
    worst = Math.max(worst, heap);
    const lastMb = (settled.at(-1)?.heapUsed ?? 0) / 1e6;
    console.log(
      `thread ${thread}: heap ${lastMb.toFixed(1)} MB at the end, ${heap >= 0 ? "+" : ""}${heap.toFixed(2)} MB/min; ` +
        `outside of it ${outside >= 0 ? "+" : ""}${outside.toFixed(2)} MB/min`,
    );
  }
  const { completed, failed } = result.accounting.iterations;
  console.log(
    `${minutes} min, ${completed + failed} iterations, peak RSS ${peakRssMb.toFixed(0)} MB, result ` +
      `${(JSON.stringify(result).length / 1e6).toFixed(2)} MB, generator ${result.generator.verdict}; ` +
      `steepest ${worst.toFixed(2)} MB/min (below ${wantedMbPerMinute} wanted)`,
  );
  process.exitCode = worst < wantedMbPerMinute ? 0 : 1;
} finally {
  server.stop();
  rmSync(folder, { recursive: true });
}

/** Returns the growth per minute by least squares, in MB. */
function slopePerMinute(samples: readonly HeapSample[], bytesOf: (sample: HeapSample) => number): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const at = samples.map(({ atMs }) => atMs / 60_000);
  const size = samples.map((sample) => bytesOf(sample) / 1e6);
  const [meanAt, meanSize] = [mean(at), mean(size)];
  const covariance = mean(at.map((minute, index) => (minute - meanAt) * ((size[index] ?? 0) - meanSize)));
  return covariance / mean(at.map((minute) => (minute - meanAt) ** 2));
}
