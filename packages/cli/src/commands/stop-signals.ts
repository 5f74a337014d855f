import { Interruptions } from "@bearhug/engine/run/interruptions";
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

/** Turns signals into interruptions of a run. */
export interface SignalListener {
  readonly interruptions: Interruptions;
  /** From now on there is no load that could end. */
  readonly enterTeardown: () => void;
  /** No run can end from now on. */
  readonly enterSummary: () => void;
  /** The run ignores signals from now on. */
  readonly stopListening: () => void;
}

/** The first signal ends the load gracefully, or lets teardown go on; the second ends the run at once. */
export function listenForSignals(warn: (text: string) => void): SignalListener {
  const interruptions = new Interruptions();
  let effect = "ending gracefully";
  const stopListening = onStopSignal((signal) => {
    warn(
      interruptions.isInterrupted ? "stopping now" : `${signal}: ${effect}; press Ctrl+C again to stop now`,
    );
    interruptions.interrupt(signal);
  });
  return {
    interruptions,
    enterTeardown: () => {
      effect = "the load has ended, finishing teardown";
    },
    enterSummary: () => {
      effect = "the run has ended, finishing the test's summary";
    },
    stopListening,
  };
}
