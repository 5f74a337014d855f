// The global of this name is an accessor: asking it takes a tenth of the time of a reading.
import { performance } from "node:perf_hooks";
// The global ones are watched while a test's code runs.
import { clearTimeout, setImmediate, setTimeout } from "node:timers";

/** Time as the engine sees it. Tests bring their own. */
export interface Clock {
  /** Milliseconds since an origin that all threads of the process share; never runs backwards. */
  now(): number;
  /** Calls back once, not before `atMs`; cancelled by the function that it returns. */
  at(atMs: number, callback: () => void): () => void;
  /** The wall-clock time: for labels, never for measuring. */
  date(): Date;
  /** Calls back in a later turn of the event loop, after I/O has had its chance. */
  nextTurn(callback: () => void): void;
  /** Holds the whole thread up for about so long, I/O included: for waits too short for a timer. */
  nap(durationMs: number): void;
}

/** Nobody wakes a napping thread but time. */
const napping = new Int32Array(new SharedArrayBuffer(4));

/** setTimeout fires up to a millisecond early by this clock, and overflows above 2^31 − 1 ms. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
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
    return () => {
      clearTimeout(timer);
    };
  },
  nextTurn(callback) {
    setImmediate(callback);
  },
  nap(durationMs) {
    Atomics.wait(napping, 0, 0, durationMs);
  },
};

/** Calls back once in every period, the first time after one; ended by the function that it returns. */
export function every(clock: Clock, periodMs: number, callback: () => void): () => void {
  let cancel: () => void = () => undefined;
  const arm = (): void => {
    cancel = clock.at(clock.now() + periodMs, () => {
      arm();
      callback();
    });
  };
  arm();
  return () => {
    cancel();
  };
}
