/** A call whose promise the test must await. */
export interface WatchedCall {
  readonly name: "sleep" | "think" | "page" | "group";
  readonly given: readonly unknown[];
  /** Its stack names the line of the call. V8 formats a stack only when it is read. */
  readonly at: Error;
}

/** The calls of a VU's running iteration whose promises have not been awaited yet. */
export class WatchedCalls {
  readonly #unawaited = new Set<WatchedCall>();

  /** Returns a promise that follows `promise`, and notices when it is awaited. */
  watch<T>(name: WatchedCall["name"], given: readonly unknown[], promise: Promise<T>): Promise<T> {
    const call = { name, given, at: new Error("called here") };
    this.#unawaited.add(call);
    return new WatchedPromise<T>((resolve) => resolve(promise)).whenAwaited(() => {
      this.#unawaited.delete(call);
    });
  }

  /** Returns and forgets the calls that have not been awaited so far. */
  take(): readonly WatchedCall[] {
    if (this.#unawaited.size === 0) return none;
    const calls = [...this.#unawaited];
    this.#unawaited.clear();
    return calls;
  }
}

const none: readonly WatchedCall[] = [];

/** A subclass, because `await` and `Promise.all` bypass `then` on plain promises. */
class WatchedPromise<T> extends Promise<T> {
  /** Promises that `then` returns are not watched. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }
  #onAwaited: (() => void) | null = null;

  whenAwaited(onAwaited: () => void): this {
    this.#onAwaited = onAwaited;
    return this;
  }

  override then<Result = T, Failure = never>(
    onResult?: ((value: T) => Result | PromiseLike<Result>) | null,
    onFailure?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    this.#onAwaited?.();
    return super.then(onResult, onFailure);
  }
}

/** Formats the call as the test's source has it. */
export function formatCall(call: WatchedCall): string {
  const written = call.given.filter((one) => one !== undefined).map((one) => JSON.stringify(one));
  return `${call.name}(${[...written, ...(isPause(call) ? [] : ["body"])].join(", ")})`;
}

/** True for a call that only waits. */
export function isPause({ name }: WatchedCall): boolean {
  return name === "sleep" || name === "think";
}
