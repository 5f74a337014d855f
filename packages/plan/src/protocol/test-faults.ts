/** Receives each error that bearhug throws because of a mistake in the test's code. */
let onFault: ((fault: Error) => void) | null = null;

/** Calls `watch` with each fault of this thread, until the returned function is called. */
export function watchFaults(watch: (fault: Error) => void): () => void {
  onFault = watch;
  return () => {
    if (onFault === watch) onFault = null;
  };
}

/**
 * Reports a fault that is about to be thrown, and returns it: if the test caught it, it would otherwise leave
 * no trace.
 */
export function noteFault<Fault extends Error>(fault: Fault): Fault {
  onFault?.(fault);
  return fault;
}
