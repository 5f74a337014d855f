/** The global symbol of the default dispatcher of older copies of undici, such as Node's own. */
export const oldDefault: unique symbol = Symbol.for("undici.globalDispatcher.1");

/** The global symbol of the default dispatcher of copies of undici from version 8 on. */
const newDefault = Symbol.for("undici.globalDispatcher.2");

/** Returns a function that restores the default dispatchers of all copies of undici in this process. */
export function keepDispatchers(): () => void {
  const kept = [oldDefault, newDefault].map(
    (symbol) => [symbol, Reflect.get(globalThis, symbol) as unknown] as const,
  );
  return () => {
    for (const [symbol, dispatcher] of kept)
      if (dispatcher !== undefined) Reflect.set(globalThis, symbol, dispatcher);
  };
}
