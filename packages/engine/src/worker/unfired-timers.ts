import { current, type Current } from "./current.ts";

/** A timer that an iteration's code has set. */
interface SetTimer {
  readonly timer: NodeJS.Timeout;
  readonly owner: Current;
  /** Its stack names the line that set the timer. */
  readonly at: Error;
}

type Callback = (...values: unknown[]) => void;

/**
 * Matches callbacks that do work, which would be lost. A pause or a time limit, such as `setTimeout(resolve,
 * 100)`, has no purpose once the run is over.
 */
const isWork = /\bthrow\b|\b(?:http|metrics)\s*[.[]|\b(?:fetch|check|page|group)\s*\(/;

/** The most timers kept: further ones would add nothing. Timers that have fired are discarded first. */
const maxKept = 1000;

/**
 * Watches the timers that iterations set, until `end`. A timer that has not fired by then never will, and its
 * work would be lost silently. A timer with `unref` is not reported, because its author expects that.
 */
export class UnfiredTimers {
  readonly #restore: () => void;
  #kept: SetTimer[] = [];
  /** Another run in this thread may have wrapped this one's `setTimeout` and still call it. */
  #isClosed = false;

  constructor() {
    const before = globalThis.setTimeout;
    const watched = (callback: Callback, delayMs?: number, ...values: unknown[]): NodeJS.Timeout => {
      const timer = before(callback, delayMs, ...values);
      const owner = current.getStore();
      if (!this.#isClosed && owner?.onUnfiredTimer !== undefined && isWork.test(String(callback)))
        this.#keep({ timer, owner, at: here(watched) });
      return timer;
    };
    // `promisify` looks for its own symbol on the function.
    Object.defineProperties(watched, Object.getOwnPropertyDescriptors(before));
    Reflect.set(globalThis, "setTimeout", watched);
    this.#restore = () => {
      if (Reflect.get(globalThis, "setTimeout") === watched) globalThis.setTimeout = before;
    };
  }

  #keep(one: SetTimer): void {
    if (this.#kept.length >= maxKept) this.#kept = this.#kept.filter(isWaiting);
    if (this.#kept.length < maxKept) this.#kept.push(one);
  }

  /** Stops watching, without a report. */
  close(): void {
    this.#isClosed = true;
    this.#restore();
    this.#kept = [];
  }

  /** Stops watching, and notifies the iterations whose timers have not fired. */
  end(): void {
    const waiting = this.#kept.filter(isWaiting);
    this.close();
    for (const { owner, at } of waiting) owner.onUnfiredTimer?.(at);
  }
}

/**
 * True if the timer has not fired. Node has no public way to ask, but marks timers that have fired or were
 * cleared.
 */
function isWaiting({ timer }: SetTimer): boolean {
  return timer.hasRef() && Reflect.get(timer, "_destroyed") !== true;
}

/** Returns an error whose stack begins where `callee` was called. */
function here(callee: (...values: never[]) => unknown): Error {
  const at = new Error("where");
  Error.captureStackTrace(at, callee);
  return at;
}
