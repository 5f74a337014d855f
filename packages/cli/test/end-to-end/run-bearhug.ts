import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

import { findContradictions } from "@bearhug/engine/outcome/contradictions/find-contradictions";
import { parseResult, type TestResult } from "@bearhug/sdk";
import { onTestFinished } from "vitest";

import { command } from "../command.ts";
import type { Ended } from "../kept-process/command-line.ts";
import { runKept } from "../kept-process/kept-process.ts";

export interface Started extends Promise<Ended> {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
}

/** Starts the command line as its sources are now, in a process of its own that ends with the test. */
export function startBearhug(
  arguments_: readonly string[],
  cwd: string = tmpdir(),
  environment: Readonly<Record<string, string>> = {},
): Started {
  const child = spawn(process.execPath, [command, ...arguments_], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: surroundings(environment),
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return Object.assign(gather(child), { child });
}

/**
 * Does a command line as `startBearhug` would, in a process that does many of them: a tenth of the CPU time, where a test
 * asks for what it writes and not for how its process lives and ends.
 */
export async function runBearhug(
  arguments_: readonly string[],
  folder: string = tmpdir(),
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  // Node reads its own variables when a process starts.
  if (Object.keys(environment).some((name) => name.startsWith("NODE_")))
    return startBearhug(arguments_, folder, environment);
  const finished = new AbortController();
  onTestFinished(() => {
    finished.abort();
  });
  return runKept({ arguments: arguments_, folder, environment: surroundings(environment) }, finished.signal);
}

/** Without the variables that change what bearhug does: whoever runs the tests may have set some, as CI does. */
export function surroundings(environment: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:BEARHUG|GITHUB|npm)_/.test(name));
  return {
    ...Object.fromEntries(inherited),
    NODE_OPTIONS: "",
    NO_COLOR: "1",
    // Machines that test are shared: only a test of this rule is to fail for it.
    BEARHUG_ALLOW_SATURATED: "true",
    // What a killed run leaves must not reach whoever runs the tests.
    XDG_CACHE_HOME: environment["XDG_CACHE_HOME"] ?? temporaryFolder(),
    ...environment,
  };
}

async function gather(child: Started["child"]): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  await once(child, "close");
  return { exitCode: child.exitCode, stdout, stderr };
}

/** A folder that is gone when the test has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-test-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Writes a test beside nothing: no package.json, no node_modules. */
export function writeTest(source: string, name = "your-test.ts"): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, source);
  return path;
}

export interface Reported extends Ended {
  readonly result: TestResult;
}

/** Runs the command line with `--out json=…` and reads the result that it left, by its schema. */
export async function runForResult(
  arguments_: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Reported> {
  const path = join(temporaryFolder(), "result.json");
  const ended = await runBearhug([...arguments_, "--out", `json=${path}`], undefined, environment);
  return { ...ended, result: readResult(path, ended) };
}

/** Reads a result by its schema; no part of it may speak against another. */
export function readResult(path: string, ended: Ended): TestResult {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new Error(`no result was left:\n${ended.stdout}\n${ended.stderr}`, { cause });
  }
  const { result, problems } = parseResult(JSON.parse(text));
  if (result === undefined) throw new Error(JSON.stringify(problems, null, 2));
  const contradictions = findContradictions(result);
  if (contradictions.length > 0) throw new Error(JSON.stringify(contradictions, null, 2));
  return result;
}
