import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { root, workspace } from "./workspace.mjs";

/**
 * @typedef {{ step: string, passed: boolean, summary: string }} Outcome `summary` describes the end, and has
 * the output if the step failed
 */

/**
 * Runs a script of package.json, and shows its output live.
 * @param {string} step
 * @param {{ options?: string, env?: Record<string, string> }} [more] `options` are added to its command
 */
export async function runStep(step, { options = "", env = {} } = {}) {
  console.log(`\n▶ ${step}: ${commandOf(step)}`);
  const child = spawn(`${commandOf(step)} ${options}`, { ...surroundings(env), stdio: "inherit" });
  const outcome = await outcomeOf(step, child);
  console.log(outcome.summary);
  return outcome;
}

/**
 * Runs a script of package.json at a low priority, and keeps its output.
 * @param {string} step
 * @param {{ options?: string, env?: Record<string, string> }} [more]
 */
export function runInBackground(step, { options = "", env = {} } = {}) {
  return runQuietly(step, { options, isUrgent: false, env: { ...oneThread, ...lessOften, ...env } });
}

/**
 * For programs in Go while no core is idle: each of their threads would compute the types that they share, and
 * collect garbage at the same time.
 */
export const oneThread = { GOMAXPROCS: "1" };

/** Programs in Go collect garbage less often: lint takes a fifth less CPU time, and hardly more memory. */
const lessOften = { GOGC: "400" };

/**
 * Runs a script of package.json and keeps its output, to show it if the script fails.
 * @param {string} step
 * @param {{ options?: string, isUrgent?: boolean, env?: Record<string, string> }} [more]
 */
export async function runQuietly(step, { options = "", isUrgent = true, env = {} } = {}) {
  const command = `${commandOf(step)} ${options}`;
  // To set the priority of a shell that runs would miss programs that it has already started.
  const lowers = !isUrgent && process.platform !== "win32";
  const child = spawn(lowers ? "nice" : command, lowers ? ["-n", "10", "sh", "-c", command] : [], {
    ...surroundings(env),
    shell: !lowers,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => (printed += text));
  const { passed, summary } = await outcomeOf(step, child);
  return {
    step,
    passed,
    printed,
    summary: passed ? summary : `\n▶ ${step}: ${commandOf(step)}\n${printed}${summary}`,
  };
}

/** @param {string} step */
function commandOf(step) {
  const command = workspace.scripts[step];
  if (command === undefined) throw new Error(`package.json has no script "${step}".`);
  return command;
}

/**
 * TypeScript 7, oxlint's types and esbuild are written in Go: with rarer garbage collections they need a
 * seventh less CPU.
 */
const rareCollections = { GOGC: "400" };

/** @param {Record<string, string>} [env] */
function surroundings(env = {}) {
  const path = `${join(root, "node_modules/.bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  return { cwd: root, shell: true, env: { ...rareCollections, ...process.env, PATH: path, ...env } };
}

/**
 * @param {string} step
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<Outcome>}
 */
function outcomeOf(step, child) {
  const startedAtMs = performance.now();
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const took = `${secondsSince(startedAtMs)} s`;
      const how = signal ?? `exit code ${String(code)}`;
      const failure = `\n✖ Step ${step} failed (${how}, ${took}): run \`pnpm run ${step}\` to see it alone.`;
      resolve({ step, passed: code === 0, summary: code === 0 ? `✔ ${step}, ${took}` : failure });
    });
  });
}

/** @param {number} startMs */
export function secondsSince(startMs) {
  return ((performance.now() - startMs) / 1000).toFixed(1);
}
