// How much does a large data file cost? CPU and peak memory of a run of the built command line in which one
// virtual user draws 200 rows at random, compared with the CPU of its CSV parser alone, which reads the same
// file once; medians of rounds. `node bench/large-feed.ts 600 1` measures 600 MB once, which is more than a
// string in V8 can hold.
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { runTestBy, startServer, usageOf } from "./bench-process.ts";
import { median } from "./statistics.ts";

const wantedCpuRatio = 1.5;
const wantedFileTimes = 2;
const wantedMoreMb = 150;
const [megabytes = 118, rounds = 3] = process.argv.slice(2).map(Number);
const draws = 200;

const folder = mkdtempSync(join(tmpdir(), "bearhug-feed-"));
const file = join(folder, "users.csv");
const server = await startServer();
const source = `import { csv, defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  feeds: { users: csv(${JSON.stringify(file)}, { order: "random" }) },
  scenarios: {
    logins: {
      executor: "per-vu-iterations", vus: 1, iterations: ${draws},
      exec: ({ http, feeds }) => http.get("/?user=" + feeds.users.next().id, { name: "login" }),
    },
  },
});`;

try {
  const rows = await writeUsers(megabytes * 1e6);
  console.log(`${megabytes} MB, ${rows} rows, Node ${process.version}`);
  const [ratios, peaks]: [number[], number[]] = [[], []];
  for (let round = 1; round <= rounds; round++) {
    const alone = await usageOf([
      process.execPath,
      fileURLToPath(new URL("parse-csv-alone.ts", import.meta.url)),
      file,
    ]);
    const { used, result } = await runTestBy(source, ["--workers", "1"], usageOf);
    if (result.accounting.requests[0]?.succeeded !== draws)
      throw new Error("the run did not make all its requests");
    ratios.push(used.cpuS / alone.cpuS);
    peaks.push(used.peakMb);
    console.log(
      `round ${round}: run ${used.cpuS.toFixed(2)} s of CPU, ${used.peakMb.toFixed(0)} MB; parser alone ${alone.cpuS.toFixed(2)} s, ratio ${(used.cpuS / alone.cpuS).toFixed(2)}`,
    );
  }
  const mostMb = wantedFileTimes * megabytes + wantedMoreMb;
  const [ratio, peakMb] = [median(ratios), median(peaks)];
  console.log(`median ratio ${ratio.toFixed(2)} (at most ${wantedCpuRatio} wanted)`);
  console.log(`median peak ${peakMb.toFixed(0)} MB (at most ${mostMb} MB wanted)`);
  process.exitCode = ratio <= wantedCpuRatio && peakMb <= mostMb ? 0 : 1;
} finally {
  server.stop();
  rmSync(folder, { recursive: true });
}

/** Writes accounts. Every tenth has a quoted note with a line break. Returns their number. */
async function writeUsers(bytes: number): Promise<number> {
  const out = createWriteStream(file);
  out.write("id,name,email,password,city,note\n");
  let [written, id] = [0, 0];
  while (written < bytes) {
    let text = "";
    for (const end = id + 10_000; id < end; id++) {
      const note = id % 10 === 0 ? `"Said ""hi"", then\nleft ${id}"` : `plain note ${id * 7919}`;
      text += `${id},User ${id * 104_729},user-${id}@example.test,pw-${(id * 15_485_863).toString(36)},Zürich,${note}\n`;
    }
    written += Buffer.byteLength(text);
    if (!out.write(text)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
  return id;
}
