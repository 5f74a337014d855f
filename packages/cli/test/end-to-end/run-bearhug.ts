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

/** Starts the command line from its current sources, in its own process, which ends with the test. */
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
 * Runs a command line like `startBearhug`, but in a process that runs many, for a tenth of the CPU time. For
 * tests that check what it writes, and not how its process lives and ends.
 */
export async function runBearhug(
  arguments_: readonly string[],
  folder: string = tmpdir(),
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  // Node reads its own variables only when a process starts.
  if (Object.keys(environment).some((name) => name.startsWith("NODE_")))
    return startBearhug(arguments_, folder, environment);
  const finished = new AbortController();
  onTestFinished(() => {
    finished.abort();
  });
  return runKept({ arguments: arguments_, folder, environment: surroundings(environment) }, finished.signal);
}

/** Returns the environment without variables that change what bearhug does, such as those that CI sets. */
export function surroundings(environment: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:BEARHUG|GITHUB|npm)_/.test(name));
  return {
    ...Object.fromEntries(inherited),
    NODE_OPTIONS: "",
    NO_COLOR: "1",
    // Test machines are shared: only a test of this rule may fail because of it.
    BEARHUG_ALLOW_SATURATED: "true",
    // The recordings of killed runs must not get into the cache of the developer.
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

/** Creates a folder that is removed when the test has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-test-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Writes a test into an empty folder, without package.json and node_modules. */
export function writeTest(source: string, name = "your-test.ts"): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, source);
  return path;
}

export interface Reported extends Ended {
  readonly result: TestResult;
}

/** Runs the command line with `--out json=…`, and reads the result by its schema. */
export async function runForResult(
  arguments_: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Reported> {
  const path = join(temporaryFolder(), "result.json");
  const ended = await runBearhug([...arguments_, "--out", `json=${path}`], undefined, environment);
  return { ...ended, result: readResult(path, ended) };
}

/** Reads a result by its schema. No part of it may contradict another. */
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
