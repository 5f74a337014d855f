// How much does it cost to import a large capture? Two of 100 MB: one of some thousand entries, and one that
// also has an entry of 30 MB. Each must take less than 10 s, and the whole process less memory than three
// times the biggest entry plus 200 MB. `node bench/import-capture.ts 1200` makes captures of 1,200 MB, and
// allows twelve times as long. A third one of 100,000 small entries (55 MB) must take less than 15 s and 400
// MB.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runBearhug } from "./bench-process.ts";
import { writeSmallEntries, writeUsualCapture } from "./large-captures.ts";

const wantedSPer100Mb = 10;
const smallEntries = 100_000;
const [megabytes = 100] = process.argv.slice(2).map(Number);

const folder = mkdtempSync(join(tmpdir(), "bearhug-bench-import-"));
try {
  const areMet = [
    await measureLarge("a usual mix", 0),
    await measureLarge("one entry of 30 MB", 25_000_000),
    await measureSmall(),
  ];
  process.exitCode = areMet.every(Boolean) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}

async function measureLarge(what: string, largeBody: number): Promise<boolean> {
  const path = join(folder, "capture.har");
  const biggest = writeUsualCapture(path, megabytes * 1e6, largeBody);
  return measure(what, path, {
    seconds: (wantedSPer100Mb * megabytes) / 100,
    megabytes: (3 * biggest) / 1e6 + 200,
  });
}

async function measureSmall(): Promise<boolean> {
  const path = join(folder, "capture.har");
  writeSmallEntries(path, smallEntries);
  return measure("100,000 small entries", path, { seconds: 15, megabytes: 400 });
}

/** Imports a capture in a separate process. Returns true if it kept to the limits. */
async function measure(
  what: string,
  path: string,
  wanted: { readonly seconds: number; readonly megabytes: number },
): Promise<boolean> {
  const startedAt = performance.now();
  const { cpuS, peakMb } = await runBearhug("import", path, "--force", "-o", join(folder, "capture.ts"));
  const seconds = (performance.now() - startedAt) / 1000;
  const sizeMb = statSync(path).size / 1e6;
  console.log(
    `${what}: ${sizeMb.toFixed(0)} MB in ${seconds.toFixed(1)} s (${wanted.seconds.toFixed(0)} wanted; ${cpuS.toFixed(1)} s of CPU), ` +
      `with at most ${peakMb.toFixed(0)} MB of memory (${wanted.megabytes.toFixed(0)} wanted)`,
  );
  return seconds < wanted.seconds && peakMb < wanted.megabytes;
}
