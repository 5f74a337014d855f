import { syncBuiltinESMExports } from "node:module";

import { BearhugError } from "@bearhug/sdk";
import { exitCodes } from "@bearhug/text/exit-codes";

/** Thrown where a test in the main thread calls for the end of the process, which goes on: it has a verdict to give. */
export class TestExited extends BearhugError {
  override readonly name = "TestExited";
  readonly code = "TEST_EXITED";
}

const guarded = ["exit", "reallyExit", "abort", "execve", "execPath"] as const;
/** As Node has them: this module is loaded before the code of a test. */
const own = Object.fromEntries(guarded.map((name) => [name, Reflect.get(process, name) as unknown]));

let isGuarded = false;
let decided: number | null = null;
/** Listeners that no test added. */
let others: readonly unknown[] = [];
let onRelease: () => void = () => undefined;

/**
 * From now on `process.exit` tells `onExit` and throws instead of ending the process: the code of a test is about to run
 * in this thread. What worker threads refuse is refused here, too. `whenReleased` is called after the exit listeners. Returns false
 * if exits are guarded already.
 */
export function guardExits(onExit: (exitCode: number) => void, whenReleased: () => void): boolean {
  if (isGuarded) return false;
  isGuarded = true;
  others = process.rawListeners("exit");
  onRelease = whenReleased;
  decided = null;
  // For an end of the process that nobody asked for: only a verdict makes it green.
  process.exitCode = exitCodes.workerLost;
  const exit = (exitCode: unknown = 0): never => {
    onExit(Number(exitCode));
    throw new TestExited("process.exit() was called: the worker of this code is lost.");
  };
  const refuse = (name: string) => (): never => {
    throw new TestExited(
      `process.${name}() is not allowed in tests: it would end the run without a verdict.`,
    );
  };
  Object.assign(process, { exit, reallyExit: exit, abort: refuse("abort"), execve: refuse("execve") });
  // For `import { exit } from "node:process"`.
  syncBuiltinESMExports();
  return true;
}

/** Sets the exit code of the process, against whatever a test sets later where exits are guarded. */
export function decideExit(exitCode: number): void {
  decided = exitCode;
  process.exitCode = exitCode;
}

/**
 * Makes the process ready to end at once, with the exit code that was decided, after the exit listeners of the test have run.
 * Returns false if exits were not guarded: without the code of a test in this thread there is nothing to do.
 */
export function releaseExits(): boolean {
  if (!isGuarded) return false;
  runExitListeners();
  isGuarded = false;
  Object.assign(process, own);
  process.removeAllListeners("exit");
  process.exitCode = decided ?? (process.exitCode === 0 ? exitCodes.workerLost : process.exitCode);
  return true;
}

/** As at the end of a process. None of them can end it, or keep the others from running. */
function runExitListeners(): void {
  for (const listener of process.rawListeners("exit")) {
    if (others.includes(listener)) continue;
    try {
      Reflect.apply(listener, process, [decided ?? exitCodes.workerLost]);
    } catch {
      // As at the end of a worker's thread, there is nobody left to tell.
    }
  }
  onRelease();
}
