const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Listens for the signals that ask a process to stop. Returns a function that stops listening. */
export function onStopSignal(listener: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of stopSignals) process.on(signal, listener);
  return () => {
    for (const signal of stopSignals) process.off(signal, listener);
  };
}
