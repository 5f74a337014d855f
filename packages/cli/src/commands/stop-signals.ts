import { BearhugError } from "@bearhug/sdk";

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Listens for the signals that ask a process to stop. Returns a function that stops listening. */
export function onStopSignal(listener: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of stopSignals) process.on(signal, listener);
  return () => {
    for (const signal of stopSignals) process.off(signal, listener);
  };
}

/** Resolves at the next signal that asks the process to stop. */
export function nextStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stopListening = onStopSignal(() => {
      stopListening();
      resolve();
    });
  });
}

/** A signal came before files were in place. */
export class Stopped extends BearhugError {
  override readonly name = "Stopped";
  readonly code = "STOPPED";
  constructor(signal: string) {
    super(`${signal}: stopped; no file was written`);
  }
}

/**
 * Does something that a signal stops, so that it can clear away what it began. A second signal ends the process at once,
 * as the system does.
 * @throws {Stopped} where the work gave up because of the signal
 */
export async function untilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const stopListening = onStopSignal((signal) => {
    stopListening();
    controller.abort(new Stopped(signal));
  });
  try {
    await work(controller.signal);
  } catch (error) {
    // What the system's own functions throw when they are told to stop.
    if (error instanceof Error && error.name === "AbortError") controller.signal.throwIfAborted();
    throw error;
  } finally {
    stopListening();
  }
}
