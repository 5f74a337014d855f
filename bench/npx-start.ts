// How long after its download does `npx bearhug <url>` send its first request? The packages are in npm's
// cache but not unpacked, as when a download has just ended. Five rounds: the median may be at most 3 s. For
// comparison, the same command with `--version`, and a package of one file without dependencies, which shows
// the time of npx itself.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { listen } from "../packages/report/src/local-server/listen.ts";
import { startRegistry } from "../packages/cli/test/packaging/local-registry.ts";
import { packedPackages } from "../packages/cli/test/packaging/packed-packages.ts";
import { runOrThrow } from "../packages/cli/test/packaging/run-process.ts";
import { median } from "./statistics.ts";

const rounds = 5;
const wantedMs = 3000;

const folder = await mkdtemp(join(tmpdir(), "bearhug-npx-"));
const cache = join(folder, "cache");
let firstRequestAt = Number.NaN;
const target = await listen(
  createServer((_request, response) => {
    if (Number.isNaN(firstRequestAt)) firstRequestAt = performance.now();
    response.end("hello\n");
  }),
  { port: 0, host: "127.0.0.1" },
);
const packed = await packedPackages(await mkdtemp(join(folder, "packed-")));
await using registry = await startRegistry([...packed, await packNothing()]);
try {
  // Fills the cache.
  await npx("bearhug", "--version");
  await npx("nothing");
  const firstRequests: number[] = [];
  const versions: number[] = [];
  const nothings: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    firstRequestAt = Number.NaN;
    const { beganAt } = await timed("bearhug", target.url, "-n", "1");
    firstRequests.push(firstRequestAt - beganAt);
    versions.push((await timed("bearhug", "--version")).tookMs);
    nothings.push((await timed("nothing")).tookMs);
    const [first, version, nothing] = [firstRequests, versions, nothings].map((times) => shown(times.at(-1)));
    console.log(`round ${round}: first request after ${first}; --version ${version}; npx itself ${nothing}`);
  }
  const firstRequest = median(firstRequests);
  console.log(
    `median of ${rounds}: first request after ${shown(firstRequest)} (${shown(wantedMs)} wanted); --version ${shown(median(versions))}; npx itself ${shown(median(nothings))}`,
  );
  process.exitCode = firstRequest <= wantedMs ? 0 : 1;
} finally {
  await target.close();
  await rm(folder, { recursive: true, force: true });
}

/** Runs the command of a package that is downloaded, but not yet unpacked. */
async function timed(...words: readonly string[]): Promise<{ beganAt: number; tookMs: number }> {
  await rm(join(cache, "_npx"), { recursive: true, force: true });
  const beganAt = performance.now();
  await npx(...words);
  return { beganAt, tookMs: performance.now() - beganAt };
}

async function npx(...words: readonly string[]): Promise<void> {
  const environment = [`npm_config_registry=${registry.url}`, `npm_config_cache=${cache}`];
  const options = ["--yes", "--prefer-offline", ...words];
  await runOrThrow("env", ["-u", "npm_config_user_agent", ...environment, "npx", ...options], folder);
}

/** Packs a package whose command does nothing. */
async function packNothing(): Promise<string> {
  const files = join(folder, "nothing", "package");
  await mkdir(files, { recursive: true });
  const manifest = { name: "nothing", version: "1.0.0", bin: "nothing.js" };
  await writeFile(join(files, "package.json"), JSON.stringify(manifest));
  await writeFile(join(files, "nothing.js"), "#!/usr/bin/env node\n", { mode: 0o755 });
  const tarball = join(folder, "nothing.tgz");
  await runOrThrow("tar", ["-czf", tarball, "-C", join(folder, "nothing"), "package"], folder);
  return tarball;
}

function shown(ms = Number.NaN): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
