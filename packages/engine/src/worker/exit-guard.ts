import { syncBuiltinESMExports } from "node:module";

import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import type { Launcher } from "@bearhug/plan/protocol/launcher";
import { BearhugError } from "@bearhug/sdk";

/** Thrown where a test in the main thread tries to end the process, which must go on to reach a verdict. */
class TestExited extends BearhugError {
  override readonly name = "TestExited";
  readonly code = "TEST_EXITED";
}

const guarded = ["exit", "reallyExit", "abort", "execve", "execPath"] as const;
/** Node's originals: this module is loaded before the code of a test. */
const originals = Object.fromEntries(guarded.map((name) => [name, Reflect.get(process, name) as unknown]));

/** The errors of calls of `process.exit`, which were reported when it was called. */
const exits = new WeakSet<object>();

/**
 * True for the error of a call of `process.exit`: nobody needs to report it again. Unlike `instanceof`, this
 * runs no code of the value.
 */
export function isReportedExit(error: unknown): boolean {
  return typeof error === "object" && error !== null && exits.has(error);
}

let isGuarded = false;
/** The exit listeners that were there before the test's code. */
let listenersBefore: readonly unknown[] = [];
let onRelease: () => void = () => undefined;
/** The role of a worker that runs in this thread; undefined if none does. */
type Role = Parameters<Launcher>[0]["role"] | undefined;
type ExitWatch = (exit: TestExited, ended: Role) => void;
const watchers = new Set<ExitWatch>();

/**
 * Calls `watch` with the error of each call of `process.exit`, which its caller may catch, and the worker that
 * it ended, until the returned function is called.
 */
export function watchExits(watch: ExitWatch): () => void {
  watchers.add(watch);
  return () => void watchers.delete(watch);
}

/**
 * Makes `process.exit` call `onExit` and throw instead of ending the process, because the code of a test is
 * about to run in this thread. Calls that Node refuses in worker threads throw, too. `whenReleased` is called
 * after the exit listeners of the test. Returns false if exits are already guarded.
 */
export function guardExits(onExit: (exitCode: number) => Role, whenReleased: () => void): boolean {
  if (isGuarded) return false;
  isGuarded = true;
  listenersBefore = process.rawListeners("exit");
  onRelease = whenReleased;
  // If the process ends unexpectedly, it must fail: only a verdict sets an exit code of 0.
  process.exitCode = exitCodes.workerLost;
  const exit = (exitCode: unknown = 0): never => {
    const error = new TestExited("process.exit() was called: the worker of this code is lost.");
    exits.add(error);
    const ended = onExit(Number(exitCode));
    for (const watch of watchers) watch(error, ended);
    throw error;
  };
  const refuse = (name: string) => (): never => {
    throw new TestExited(
      `process.${name}() is not allowed in tests: it would end the run without a verdict.`,
    );
  };
  Object.assign(process, { exit, reallyExit: exit, abort: refuse("abort"), execve: refuse("execve") });
  // Replaces the functions for `import { exit } from "node:process"`, too.
  syncBuiltinESMExports();
  return true;
}

/**
 * Runs the exit listeners of the test and ends the guard, so that the process can end at once with the
 * decided exit code; null if none was decided. Returns false if exits were not guarded: then no test ran in
 * this thread, and there is nothing to do.
 */
export function releaseExits(decided: number | null): boolean {
  if (!isGuarded) return false;
  runExitListeners(decided ?? exitCodes.workerLost);
  isGuarded = false;
  Object.assign(process, originals);
  process.removeAllListeners("exit");
  process.exitCode = decided ?? (process.exitCode === 0 ? exitCodes.workerLost : process.exitCode);
  return true;
}

/**
 * Runs the test's exit listeners, as the end of a process does. None can end the process or stop the others.
 */
function runExitListeners(exitCode: number): void {
  for (const listener of process.rawListeners("exit")) {
    if (listenersBefore.includes(listener)) continue;
    try {
      Reflect.apply(listener, process, [exitCode]);
    } catch {
      // Ignored: the run is over, so there is nowhere left to report it.
    }
  }
  onRelease();
}
