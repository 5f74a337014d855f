import { Writable } from "node:stream";

import { systemClock } from "@bearhug/plan/pacing/clock";

import { isOwnThread } from "./dedicated-thread.ts";

/**
 * An unfinished line is written once it is longer than this, so that a secret split between writes is still
 * found.
 */
const maxHeldLength = 65_536;

type Hide = (text: string) => string;

/** A stream of the process whose writes are masked, as long as it has any mask. */
interface MaskedStream {
  readonly stream: Writable;
  readonly masks: Set<Hide>;
  /** Writes the unfinished line that is held back. */
  readonly flush: () => void;
  /** Ends the masking. */
  readonly release: () => void;
}

const masked = new Map<Writable, MaskedStream>();
let isEnding = false;

/** Writes unfinished lines at once from now on, because the thread is about to end. */
export function stopHoldingLines(): void {
  isEnding = true;
  for (const { flush } of masked.values()) flush();
}

/**
 * Masks what a test prints to this thread's stdout and stderr, by whole lines. Returns a function that ends
 * the masking. In the main thread, both go to stderr: stdout is for results, which reporters write with the
 * original function.
 */
export function maskOutput(mask: Hide): () => void {
  const streams = [process.stdout, process.stderr].map((stream) => masked.get(stream) ?? maskStream(stream));
  for (const { masks } of streams) masks.add(mask);
  return () => {
    for (const { stream, masks, release } of streams) {
      // Writes an unfinished line while the last mask still applies to it.
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
    const end = isEnding || whole.length > maxHeldLength ? whole.length : whole.lastIndexOf("\n") + 1;
    held = whole.slice(end);
    // If the rest of the line does not come within this turn, its beginning is written without it.
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

/** Resolves when this thread's stdout and stderr are flushed, however slow their reader is. */
export async function flushOutput(): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map(flushStream));
}

/**
 * Flushes the output of a worker thread, whose end would lose it. The main thread's output outlives its
 * worker.
 */
export async function flushThreadOutput(): Promise<void> {
  if (!isOwnThread()) return;
  // Unfinished lines are written with the next turn.
  await new Promise<void>((resolve) => systemClock.nextTurn(resolve));
  await flushOutput();
}

async function flushStream(stream: Writable): Promise<void> {
  if (stream.writableLength === 0 || stream.destroyed || stream.writableEnded) return;
  await new Promise<void>((resolve) => {
    // A test may have replaced the stream's `write` with one that ignores the callback.
    Writable.prototype.write.call(stream, "", "utf8", () => resolve());
  });
}
