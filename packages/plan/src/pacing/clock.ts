// The global `performance` is an accessor: getting it takes a tenth of the time of a reading.
import { performance } from "node:perf_hooks";
// The global timers are watched while a test's code runs.
import { clearTimeout, setImmediate, setTimeout } from "node:timers";

/** The engine's clock. Tests use their own. */
export interface Clock {
  /** Milliseconds since an origin that all threads of the process share; never runs backwards. */
  now(): number;
  /** The last result of `now`: for code that runs right after a reading, which costs more than such code. */
  latest(): number;
  /** Calls back once, not before `atMs`. The returned function cancels it. */
  at(atMs: number, callback: () => void): () => void;
  /** The wall-clock time: for labels, never for measuring. */
  date(): Date;
  /** Calls back in a later turn of the event loop, after pending I/O. */
  nextTurn(callback: () => void): void;
  /** Blocks the whole thread for about this long, I/O included: for waits too short for a timer. */
  nap(durationMs: number): void;
}

/** Nothing ever notifies this address, so a nap ends by its timeout alone. */
const napping = new Int32Array(new SharedArrayBuffer(4));

/**
 * The longest timer: above 2^31 − 1 ms, setTimeout overflows. It also fires up to a millisecond
 * early by this clock.
 */
const longestTimerMs = 2 ** 31 - 1;

/** In a typed array, because V8 would allocate an object for each value of a variable. */
const latest = new Float64Array(1);

export const systemClock: Clock = {
  now: () => (latest[0] = performance.now()),
  latest: () => latest[0] ?? 0,
  date: () => new Date(),
  at(atMs, callback) {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      timer = setTimeout(fire, Math.min(longestTimerMs, Math.max(0, Math.ceil(atMs - performance.now()))));
    };
    const fire = (): void => {
      if (performance.now() < atMs) arm();
      else callback();
    };
    arm();
    return () => clearTimeout(timer);
  },
  nextTurn(callback) {
    setImmediate(callback);
  },
  nap(durationMs) {
    Atomics.wait(napping, 0, 0, durationMs);
  },
};

/** Calls back once per period, the first time after one period. The returned function ends it. */
export function every(clock: Clock, periodMs: number, callback: () => void): () => void {
  let cancel: () => void = () => undefined;
  const arm = (): void => {
    cancel = clock.at(clock.now() + periodMs, () => {
      arm();
      callback();
    });
  };
  arm();
  return () => cancel();
}

/** Resolves after this time. */
export function pause(clock: Clock, durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.at(clock.now() + durationMs, resolve);
  });
}

/** Resolves as the promise does, or to null if that takes until `atMs`. */
export async function awaitUntil<T>(clock: Clock, atMs: number, promise: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const cancel = clock.at(atMs, () => late.resolve(null));
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    cancel();
  }
}
