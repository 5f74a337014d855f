// How fast are the first and the second second of a run, compared with the steady rate? Requests per second
// of `bearhug <url>` with 64 connections, over HTTP/1.1, TLS, and HTTP/2 with one stream per connection: the
// built command line on one core, nginx on another. The steady rate is the median of seconds 3 to 6. Medians
// of rounds. `node bench/first-second.ts 3` makes three rounds.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

import { parseResult } from "bearhug";

import { launcher } from "./bench-process.ts";
import { startNginxTarget } from "./compare/nginx-target.ts";
import { onCore, startPinned } from "./compare/pinned-process.ts";
import { median } from "./statistics.ts";

const [rounds = 5] = process.argv.slice(2).map(Number);
/** `wanted`: the share of the steady rate that the first second must reach. */
const protocols = [
  { origin: "plain", title: "HTTP/1.1", wanted: 0.85 },
  { origin: "tls", title: "HTTP/1.1 over TLS", wanted: 0.5 },
  { origin: "h2", title: "HTTP/2, 64 × 1", wanted: 0.5 },
] as const;

const folder = mkdtempSync(join(tmpdir(), "bearhug-first-second-"));
const report = join(folder, "result.json");
const server = await startNginxTarget(onCore(0));
const shares = new Map<string, { first: number; second: number }[]>();
try {
  for (let round = 1; round <= rounds; round++)
    for (const { origin, title } of protocols) {
      const seconds = await measure(server.origins[origin] ?? "");
      const steady = median(seconds.slice(2, 6));
      const [first = 0, second = 0] = seconds.map((requests) => requests / steady);
      shares.set(title, [...(shares.get(title) ?? []), { first, second }]);
      console.log(`round ${round}: ${title} ${seconds.join(" ")}`);
    }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}
for (const { title, wanted } of protocols) {
  const ofAll = shares.get(title) ?? [];
  const first = median(ofAll.map((share) => share.first));
  const second = median(ofAll.map((share) => share.second));
  console.log(
    `${title}: the first second ${first.toFixed(2)} of the steady rate (at least ${wanted} wanted), the second ${second.toFixed(2)}`,
  );
  if (first < wanted) process.exitCode = 1;
}

/** Returns the requests of each second. */
async function measure(url: string): Promise<number[]> {
  const load = [`${url}/hello`, "-c", "64", "-d", "6s", "--workers", "1", "--insecure", "--quiet"];
  const command = [process.execPath, launcher, ...load, "--out", `json=${report}`];
  const { exitCode, printed } = await startPinned(command, availableParallelism() - 1).ended;
  if (exitCode !== 0) throw new Error(printed);
  const { result, problems } = parseResult(JSON.parse(readFileSync(report, "utf8")));
  if (result === undefined) throw new Error(JSON.stringify(problems));
  return result.intervals.map(({ http_reqs: requests }) => requests);
}
