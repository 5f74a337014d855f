import { Server } from "node:net";

/** The most intervals kept: further ones would add nothing. Those that were cleared are discarded first. */
const maxKept = 1000;

let intervals: NodeJS.Timeout[] = [];

/** Remembers the intervals that code of this thread sets. Called before the code of a test runs. */
export function watchIntervals(): void {
  const before = globalThis.setInterval;
  const watched = (...given: Parameters<typeof before>): NodeJS.Timeout => {
    const interval = before(...given);
    if (intervals.length >= maxKept) intervals = intervals.filter(isSet);
    if (intervals.length < maxKept) intervals.push(interval);
    return interval;
  };
  // `promisify` looks for its own symbol on the function.
  Object.defineProperties(watched, Object.getOwnPropertyDescriptors(before));
  Reflect.set(globalThis, "setInterval", watched);
}

/**
 * Keeps intervals and listening servers from keeping this thread alive: unlike a request, they do not end if
 * one waits. They go on until the rest of the thread's work has ended.
 */
export function releaseEndlessWork(): void {
  for (const interval of intervals) interval.unref();
  for (const handle of activeHandles()) if (handle instanceof Server) handle.unref();
}

/** Node has no public way to find handles. */
function activeHandles(): readonly unknown[] {
  const getHandles: unknown = Reflect.get(process, "_getActiveHandles");
  const handles: unknown = typeof getHandles === "function" ? Reflect.apply(getHandles, process, []) : null;
  return Array.isArray(handles) ? handles : [];
}

/** Node has no public way to ask, but marks timers that were cleared. */
function isSet(interval: NodeJS.Timeout): boolean {
  return Reflect.get(interval, "_destroyed") !== true;
}
