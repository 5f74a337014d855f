import { AsyncLocalStorage } from "node:async_hooks";

import type { SplitGlobal } from "./split-global.ts";

/** A call of a `fetch` that has replaced the engine's. */
interface ReplacedCall {
  isSent: boolean;
}

const calls = new AsyncLocalStorage<ReplacedCall>();

/** Notes that a request is sent: a replaced `fetch` that is being called has not responded by itself. */
export function noteRequestSent(): void {
  const call = calls.getStore();
  if (call !== undefined) call.isSent = true;
}

/** Receives a call's first argument. The returned function is called if the call sent nothing. */
type OnCall = (input: unknown) => () => void;

/**
 * Makes `own` the global `fetch` until the returned function is called. Tests and their packages may replace
 * it in turn, as msw and other mocks do: calls of their `fetch` are watched.
 */
export function installFetch(own: object, onCall: OnCall, global: SplitGlobal): () => void {
  const watched = new WeakSet<object>();
  let willCheck = false;
  let isOver = false;

  const watch = (given: unknown): unknown => {
    if (typeof given !== "function" || given === own || watched.has(given)) return given;
    const replacement = new Proxy(given, {
      apply: (target, self, args: readonly unknown[]) =>
        watchCall(() => Reflect.apply(target, self, args) as unknown, onCall, args[0]),
    });
    watched.add(replacement);
    return replacement;
  };
  const install = (first: unknown): void => {
    let value = watch(first);
    const get = (): unknown => {
      // Some mocks redefine the property, and read it first. Only this read reveals them.
      if (!willCheck) queueMicrotask(check);
      willCheck = true;
      return value;
    };
    const set = (given: unknown): void => {
      value = watch(given);
    };
    global.replace({ get, set });
  };
  const check = (): void => {
    willCheck = false;
    if (!isOver && global.isRedefined) install(Reflect.get(globalThis, "fetch"));
  };

  install(own);
  return () => {
    isOver = true;
  };
}

function watchCall(call: () => unknown, onCall: OnCall, input: unknown): unknown {
  // A replacement that calls another one counts as one call.
  if (calls.getStore() !== undefined) return call();
  const replaced = { isSent: false };
  const onUnsent = onCall(input);
  const settle = (): void => {
    if (!replaced.isSent) onUnsent();
  };
  const result = calls.run(replaced, call);
  if (!(result instanceof Promise)) {
    settle();
    return result;
  }
  // The promise of `then` is returned, so that a failure that the test never awaits is still reported.
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
