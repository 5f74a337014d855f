// node host.ts
//
// A process that runs one command line after another, each with its own arguments, environment and folder, so
// that modules are loaded only once. A command line ends when its own process would: when no work is left,
// when it calls process.exit, or a second after its work was done.
import { createRequire, flushCompileCache } from "node:module";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { command } from "../command.ts";
import { endOfOutput, type CommandEnd, type CommandLine } from "./command-line.ts";

// esbuild works in the folder where it was loaded, and the folder of a command line may be removed after it.
createRequire(command)("#esbuild");

/** The time that `commands/leave.ts` allows for work that is not awaited. */
const graceMs = 1000;
/** Resources that a command line has closed disappear within this time. */
const closingMs = 300;

/** Ends the current command line. */
let end: (exitCode: number) => void = () => undefined;

const leave = process.exit.bind(process);
Object.assign(process, {
  exit: (exitCode: number | string | null = null): void => {
    end(Number(exitCode ?? process.exitCode ?? 0));
  },
  // A command that replaces its process with execve would replace this one.
  execve: undefined,
});

/** The timers of the current command line. One that has ended may have left a timer to end its process. */
const timers = new Set<NodeJS.Timeout>();
globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
  apply: (start, _self, values: Parameters<typeof setTimeout>) => {
    const timer = start(...values);
    timers.add(timer);
    return timer;
  },
});

process.on("message", (line: CommandLine) => void answer(line));
process.on("disconnect", () => leave(0));

async function answer(line: CommandLine): Promise<void> {
  process.chdir(line.folder);
  for (const name of Object.keys(process.env))
    if (!Object.hasOwn(line.environment, name)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, line.environment);
  const argv = [process.execPath, line.program, ...line.arguments];
  Object.assign(process, { argv, exitCode: undefined });
  const forgetListeners = rememberListeners([process, process.stdout, process.stderr]);
  const atRest = await countResources();
  const called = new Promise<number>((resolve) => {
    end = resolve;
  });
  const loaded = import(`${pathToFileURL(line.program).href}?command=${line.id}`).then(() => null);
  const exitCode = await Promise.race([called, loaded]);
  if (exitCode !== null) clearTimers();
  const isAtRest = await comesToRest(atRest, exitCode === null ? graceMs : closingMs);
  clearTimers();
  forgetListeners();
  // This process is killed in the end, and would not leave its compiled code to the next one.
  if (line.id === 1) flushCompileCache();
  for (const stream of [process.stdout, process.stderr]) stream.write(endOfOutput(line.id));
  process.send?.({ exitCode: exitCode ?? Number(process.exitCode ?? 0), isAtRest } satisfies CommandEnd);
}

function clearTimers(): void {
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
}

/**
 * Waits until no more resources are active than before the command line. Returns false if that takes too
 * long.
 */
async function comesToRest(atRest: number, withinMs: number): Promise<boolean> {
  const givesUpAtMs = performance.now() + withinMs;
  while ((await countResources()) > atRest) if (performance.now() > givesUpAtMs) return false;
  return true;
}

/**
 * Counts the resources that keep this process running, in a turn of its own: a timer counts during its
 * callback.
 */
async function countResources(): Promise<number> {
  await delay(1);
  await nextTurn();
  return process.getActiveResourcesInfo().length;
}

/** Returns a function that removes the listeners added since this call. */
function rememberListeners(emitters: readonly Emitter[]): () => void {
  const before = emitters.map((emitter) => listenersOf(emitter));
  return () => {
    for (const [index, emitter] of emitters.entries())
      for (const [name, listeners] of listenersOf(emitter))
        for (const listener of listeners)
          if (before[index]?.get(name)?.includes(listener) !== true) emitter.off(name, listener);
  };
}

type Listener = (...values: unknown[]) => void;
type Emitter = Pick<NodeJS.EventEmitter, "eventNames" | "listeners" | "off">;

function listenersOf(emitter: Emitter): ReadonlyMap<string | symbol, readonly Listener[]> {
  const named = (name: string | symbol): [string | symbol, Listener[]] => [
    name,
    emitter.listeners(name) as Listener[],
  ];
  return new Map(emitter.eventNames().map(named));
}
