import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { explainInstallFailure } from "./set-up-problems.mjs";
import { root, workspace } from "./workspace.mjs";

/**
 * Installs the packages of the lock file, then runs a script of the workspace and exits with its code.
 * @param {string | undefined} script
 */
export async function installAndRun(script) {
  if (script === undefined || !Object.hasOwn(workspace.scripts, script)) {
    process.stderr.write(`Say which script to run: ${Object.keys(workspace.scripts).join(", ")}.\n`);
    process.exitCode = 104;
    return;
  }
  // Ctrl-C also reaches the child; this process waits for it, to exit with its code.
  process.on("SIGINT", () => undefined);

  const pnpm = workspace.packageManager.replace(/\+.*$/, "");
  process.stderr.write(`Installing with ${pnpm} what is not yet there …\n`);
  const install = [
    "install",
    "--frozen-lockfile",
    "--reporter=append-only",
    "--config.confirm-modules-purge=false",
  ];
  const installed = await run(pnpm, install, { keepOutput: true });
  process.exitCode = installed.code;
  if (installed.code !== 0) {
    process.stderr.write(`\n${explainFailure(installed, pnpm)}\n`);
    return;
  }
  process.exitCode = (await run(pnpm, ["run", script], { keepOutput: false })).code;
}

/**
 * @param {Ended} ended
 * @param {string} pnpm
 */
function explainFailure({ output, signal, startError }, pnpm) {
  if (signal !== null) return `Set-up was stopped (${signal}).`;
  if (startError?.code === "ENOENT")
    return "npm is needed beside Node: npx was not found. Install npm, and run it again.";
  return explainInstallFailure(startError?.message ?? output, pnpm);
}

/**
 * @typedef {{ code: number, signal: NodeJS.Signals | null, output: string, startError?: NodeJS.ErrnoException }} Ended
 */

/**
 * @param {string} pnpm
 * @param {readonly string[]} args
 * @param {{ keepOutput: boolean }} options `keepOutput` shows the output and also returns it
 * @returns {Promise<Ended>}
 */
function run(pnpm, args, { keepOutput }) {
  const [command = "", ...prefix] = findNpx();
  const child = spawn(command, [...prefix, "--yes", pnpm, ...args], {
    cwd: root,
    stdio: keepOutput ? ["inherit", "pipe", "pipe"] : "inherit",
    // On Windows npx is a .cmd file, which only a shell can start.
    shell: process.platform === "win32" && prefix.length === 0,
    env: withShorterRetries(process.env),
  });
  let output = "";
  for (const [from, to] of /** @type {const} */ ([
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ])) {
    from?.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      output += text;
      to.write(text);
    });
  }
  return new Promise((resolve) => {
    child.on("error", (startError) => resolve({ code: 1, signal: null, output, startError }));
    child.on("close", (code, signal) => resolve({ code: code ?? 1, signal, output }));
  });
}

/** Returns the npx of the npm that started this script, otherwise the one on the PATH. */
function findNpx() {
  const npm = process.env["npm_execpath"] ?? "";
  const npx = join(dirname(npm), "npx-cli.js");
  return npm.endsWith("npm-cli.js") && existsSync(npx) ? [process.execPath, npx] : ["npx"];
}

/**
 * Shortens the waits between retries. Without a network, the default waits add up to 70 seconds.
 * @param {NodeJS.ProcessEnv} env
 */
function withShorterRetries(env) {
  return { npm_config_fetch_retry_mintimeout: "1000", npm_config_fetch_retry_maxtimeout: "5000", ...env };
}
