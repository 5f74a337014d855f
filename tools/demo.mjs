// pnpm run demo:run: starts the demo site in its own process, and runs the front-page example against it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "./workspace.mjs";

const bearhug = join(root, "packages/cli/bin/bearhug.js");
const siteStartsWithinMs = 15_000;

// Ctrl-C reaches both processes; this one waits for them, to exit with the run's code.
process.on("SIGINT", () => undefined);

const site = spawn(process.execPath, [bearhug, "demo", "--listen", "0"], {
  cwd: root,
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const url = await firstUrl(site.stdout);
  console.log(`A small site to practise on: ${url}`);
  process.exitCode = await runFrontPage(url);
} catch (error) {
  console.error(`The demo site did not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  site.kill();
}

/**
 * Returns the last word of the first line that the site prints.
 * @param {import("node:stream").Readable} output
 */
async function firstUrl(output) {
  const lines = createInterface({ input: output });
  const signal = AbortSignal.timeout(siteStartsWithinMs);
  const line = await Promise.race([
    once(lines, "line", { signal }).then(([text]) => String(text)),
    once(site, "exit", { signal }).then(([code]) =>
      Promise.reject(new Error(`it ended with code ${String(code)}`)),
    ),
  ]);
  const url = line.trim().split(/\s+/).at(-1) ?? "";
  if (!URL.canParse(url)) throw new Error(`its first line names no address: ${line}`);
  output.resume();
  return url;
}

/**
 * @param {string} url
 * @returns {Promise<number>} the run's exit code
 */
function runFrontPage(url) {
  const run = spawn(
    process.execPath,
    [bearhug, "run", "examples/front-page.ts", "--target", url, "--out", "json=result.json"],
    { cwd: root, stdio: "inherit" },
  );
  return new Promise((resolve) => run.on("exit", (code) => resolve(code ?? 1)));
}
