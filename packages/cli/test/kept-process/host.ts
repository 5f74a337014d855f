// node host.ts
//
// A process that does one command line after another, each with its own arguments, environment and folder: what commands
// load is loaded once. A command line ends as its process would end: when nothing goes on, when it calls for the end, or
// when a second has passed since its work was done.
import { createRequire } from "node:module";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { command } from "../command.ts";
import { endOfOutput, type CommandEnd, type CommandLine } from "./command-line.ts";

// It works in the folder where it was loaded, and that of a command line is gone after it.
createRequire(command)("#esbuild");

/** As long as `commands/leave.ts` waits for work that nobody awaits. */
const graceMs = 1000;
/** Within this time what a command line has closed is gone. */
const closingMs = 300;

/** Ends the command line that is done now. */
let end: (exitCode: number) => void = () => undefined;

const leave = process.exit.bind(process);
Object.assign(process, {
  exit: (exitCode: number | string | null = null): void => {
    end(Number(exitCode ?? process.exitCode ?? 0));
  },
  // With it the end of one command line would be the end of this process.
  execve: undefined,
});

/** The timers of a command line: one that has ended may still wait to end its process. */
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
  for (const stream of [process.stdout, process.stderr]) stream.write(endOfOutput(line.id));
  process.send?.({ exitCode: exitCode ?? Number(process.exitCode ?? 0), isAtRest } satisfies CommandEnd);
}

function clearTimers(): void {
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
}

/** Waits until no more goes on than before the command line. Returns false if that takes longer than it may. */
async function comesToRest(atRest: number, withinMs: number): Promise<boolean> {
  const givesUpAtMs = performance.now() + withinMs;
  while ((await countResources()) > atRest) if (performance.now() > givesUpAtMs) return false;
  return true;
}

/** Counts what keeps this process running. Within the turn of a timer, that is counted, too. */
async function countResources(): Promise<number> {
  await delay(1);
  await nextTurn();
  return process.getActiveResourcesInfo().length;
}

/** Returns a function that removes the listeners which came since. */
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
