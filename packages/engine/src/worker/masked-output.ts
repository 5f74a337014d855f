import { Writable } from "node:stream";

import { systemClock } from "@bearhug/plan/pacing/clock";

import { isOwnThread } from "./own-thread.ts";

/** A line that does not end is written in pieces of this length: a secret within is found all the same. */
const longestHeld = 65_536;

type Hide = (text: string) => string;

/** A stream of the process whose writes are masked, for as long as any mask asks for it. */
interface MaskedStream {
  readonly stream: Writable;
  readonly masks: Set<Hide>;
  /** Writes the line that it holds. */
  readonly flush: () => void;
  /** Ends the masking. */
  readonly release: () => void;
}

const masked = new Map<Writable, MaskedStream>();
let isEnding = false;

/** The thread is about to end: from now on lines that have no end yet are written at once. */
export function holdNothing(): void {
  isEnding = true;
  for (const { flush } of masked.values()) flush();
}

/**
 * Masks what a test prints to this thread's stdout and stderr, before it is cut into pieces. Returns how to end that. In
 * the main thread, both go to stderr: stdout is for results, which reporters write by the function that was there before.
 */
export function maskOutput(mask: Hide): () => void {
  const streams = [process.stdout, process.stderr].map((stream) => masked.get(stream) ?? maskStream(stream));
  for (const { masks } of streams) masks.add(mask);
  return () => {
    for (const { stream, masks, release } of streams) {
      // A line that has not ended is written now, and through the last mask, too.
      if (masks.size === 1 && masks.has(mask) && masked.delete(stream)) release();
      masks.delete(mask);
    }
  };
}

function maskStream(stream: Writable): MaskedStream {
  const own = Object.getOwnPropertyDescriptor(stream, "write");
  const target = stream === process.stdout && !isOwnThread() ? process.stderr : stream;
  const write = target.write.bind(target);
  const masks = new Set<Hide>();
  let held = "";
  const flush = (): void => {
    const text = held;
    held = "";
    if (text !== "") write(hide(text, masks));
  };
  const add = (text: string): boolean => {
    const whole = held + text;
    const end = isEnding || whole.length > longestHeld ? whole.length : whole.lastIndexOf("\n") + 1;
    held = whole.slice(end);
    // The rest of a line comes within the turn, or is written without it.
    if (held !== "") systemClock.nextTurn(flush);
    return end === 0 || write(hide(whole.slice(0, end), masks));
  };
  Object.defineProperty(stream, "write", {
    configurable: true,
    writable: true,
    value: (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
      const encoding = typeof rest[0] === "string" && Buffer.isEncoding(rest[0]) ? rest[0] : "utf8";
      const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
      const isWritten = add(typeof chunk === "string" ? Buffer.from(text, encoding).toString("utf8") : text);
      const done = rest.find((one) => typeof one === "function");
      if (done !== undefined) write("", () => void Reflect.apply(done, undefined, []));
      return isWritten;
    },
  });
  const release = (): void => {
    flush();
    if (own === undefined) Reflect.deleteProperty(stream, "write");
    else Object.defineProperty(stream, "write", own);
  };
  const entry = { stream, masks, flush, release };
  masked.set(stream, entry);
  return entry;
}

function hide(text: string, masks: ReadonlySet<Hide>): string {
  let hidden = text;
  for (const mask of masks) hidden = mask(hidden);
  return hidden;
}

/** Resolves when all that was written to this thread's stdout and stderr is handed on, however long its reader sleeps. */
export async function handOnOutput(): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map(handOn));
}

/** The same in a worker thread, whose end loses the rest. What the main thread writes outlives the worker that it runs. */
export async function handOnThreadOutput(): Promise<void> {
  if (!isOwnThread()) return;
  // Lines that have no end yet are written with the next turn.
  await new Promise<void>((resolve) => {
    systemClock.nextTurn(resolve);
  });
  await handOnOutput();
}

async function handOn(stream: Writable): Promise<void> {
  if (stream.writableLength === 0 || stream.destroyed || stream.writableEnded) return;
  await new Promise<void>((resolve) => {
    // A test may have replaced the stream's own `write` by one that calls nobody back.
    Writable.prototype.write.call(stream, "", "utf8", () => {
      resolve();
    });
  });
}
