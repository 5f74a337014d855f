import { AsyncLocalStorage } from "node:async_hooks";

/** A call of a `fetch` that has taken the place of the engine's. */
interface ReplacedCall {
  isSent: boolean;
}

const calls = new AsyncLocalStorage<ReplacedCall>();

/** A request is sent, and counted by whoever sends it: a `fetch` that asked for it has not answered by itself. */
export function noteSent(): void {
  const call = calls.getStore();
  if (call !== undefined) call.isSent = true;
}

/** Told of a call's first argument; what it returns is called when the call was answered and nothing was sent for it. */
type OnCall = (input: unknown) => () => void;

/**
 * Makes `own` the global `fetch` until the function that is returned is called. Tests and their packages may replace it in
 * turn, as msw and other mocks do: their `fetch` is watched.
 */
export function installFetch(own: object, onCall: OnCall): () => void {
  const installed = new WeakSet<object>();
  const watched = new WeakSet<object>();
  let willLook = false;
  let isOver = false;

  const watch = (given: unknown): unknown => {
    if (typeof given !== "function" || given === own || watched.has(given)) return given;
    const replacement = new Proxy(given, {
      apply: (target, self, args: readonly unknown[]) =>
        answerOf(() => Reflect.apply(target, self, args) as unknown, onCall, args[0]),
    });
    watched.add(replacement);
    return replacement;
  };
  const install = (first: unknown): void => {
    let value = watch(first);
    const get = (): unknown => {
      // Some define the property anew, and read it before: that shows nowhere else.
      if (!willLook) queueMicrotask(look);
      willLook = true;
      return value;
    };
    const set = (given: unknown): void => {
      value = watch(given);
    };
    installed.add(get);
    Object.defineProperty(globalThis, "fetch", { get, set, configurable: true, enumerable: true });
  };
  const look = (): void => {
    willLook = false;
    const found = Object.getOwnPropertyDescriptor(globalThis, "fetch");
    if (isOver || found?.configurable !== true) return;
    const getter: unknown = Reflect.get(found, "get");
    if (typeof getter !== "function" || !installed.has(getter)) install(Reflect.get(globalThis, "fetch"));
  };

  install(own);
  return () => {
    isOver = true;
  };
}

function answerOf(call: () => unknown, onCall: OnCall, input: unknown): unknown {
  // One replacement that calls another is one call.
  if (calls.getStore() !== undefined) return call();
  const replaced = { isSent: false };
  const answered = onCall(input);
  const settle = (): void => {
    if (!replaced.isSent) answered();
  };
  const result = calls.run(replaced, call);
  if (!(result instanceof Promise)) {
    settle();
    return result;
  }
  // The promise of `then` is handed out: a failure that the test never awaits has to stay one.
  return result.then(
    (response: unknown) => {
      settle();
      return response;
    },
    (error: unknown) => {
      settle();
      throw error;
    },
  );
}
