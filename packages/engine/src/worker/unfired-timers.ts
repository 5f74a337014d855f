import { current, type Current } from "./current.ts";

/** A timer that the code of an iteration set. */
interface SetTimer {
  readonly timer: NodeJS.Timeout;
  readonly owner: Current;
  /** Its stack names the line. */
  readonly at: Error;
}

type Callback = (...values: unknown[]) => void;

/** A pause or a time limit, such as `setTimeout(resolve, 100)`, is of no more use when the run is over. These do something. */
const isWork = /\bthrow\b|\b(?:http|metrics)\s*[.[]|\b(?:fetch|check|page|group)\s*\(/;

/** More of them say no more, and those that have fired need not be kept. */
const mostKept = 1000;

/**
 * Watches the timers that iterations set, until `end`: one that has not fired by then fires no more, and what it was to do is lost
 * without a word. One that `unref` was called on is meant to be.
 */
export class UnfiredTimers {
  readonly #restore: () => void;
  #kept: SetTimer[] = [];
  /** Another run in this thread may go on calling this one's function. */
  #isClosed = false;

  constructor() {
    const before = globalThis.setTimeout;
    const watched = (callback: Callback, delayMs?: number, ...values: unknown[]): NodeJS.Timeout => {
      const timer = before(callback, delayMs, ...values);
      const owner = current.getStore();
      if (!this.#isClosed && owner?.leftTimer !== undefined && isWork.test(String(callback)))
        this.#keep({ timer, owner, at: here(watched) });
      return timer;
    };
    // `promisify` looks for a function of its own on it.
    Object.defineProperties(watched, Object.getOwnPropertyDescriptors(before));
    Reflect.set(globalThis, "setTimeout", watched);
    this.#restore = () => {
      if (Reflect.get(globalThis, "setTimeout") === watched) globalThis.setTimeout = before;
    };
  }

  #keep(one: SetTimer): void {
    if (this.#kept.length >= mostKept) this.#kept = this.#kept.filter(isWaiting);
    if (this.#kept.length < mostKept) this.#kept.push(one);
  }

  /** Watches no longer. */
  close(): void {
    this.#isClosed = true;
    this.#restore();
    this.#kept = [];
  }

  /** Watches no longer, and tells the iterations whose timers still wait. */
  end(): void {
    const waiting = this.#kept.filter(isWaiting);
    this.close();
    for (const { owner, at } of waiting) owner.leftTimer?.(at);
  }
}

/** Node marks a timer that has fired or was cleared, and has no function that says so. */
function isWaiting({ timer }: SetTimer): boolean {
  return timer.hasRef() && Reflect.get(timer, "_destroyed") !== true;
}

/** The place of a call of this function. */
function here(callee: (...values: never[]) => unknown): Error {
  const at = new Error("where");
  Error.captureStackTrace(at, callee);
  return at;
}
