import { Interruptions } from "@bearhug/engine/run/interruptions";
import { BearhugError } from "@bearhug/sdk";

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Listens for SIGINT, SIGTERM and SIGHUP. Returns a function that stops listening. */
export function onStopSignal(listener: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of stopSignals) process.on(signal, listener);
  return () => {
    for (const signal of stopSignals) process.off(signal, listener);
  };
}

/** Resolves at the next stop signal. */
export function nextStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stopListening = onStopSignal(() => {
      stopListening();
      resolve();
    });
  });
}

/** A signal arrived before the files were in place. */
export class Stopped extends BearhugError {
  override readonly name = "Stopped";
  readonly code = "STOPPED";
  constructor(signal: string) {
    super(`${signal}: stopped; no file was written`);
  }
}

/**
 * Does work that a signal aborts, so that it can clean up. A second signal ends the process at once, as it
 * would without a listener.
 * @throws {Stopped} if the work stopped because of the signal
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
    // Node's own functions throw an AbortError, not the signal's reason.
    if (error instanceof Error && error.name === "AbortError") controller.signal.throwIfAborted();
    throw error;
  } finally {
    stopListening();
  }
}

/** Turns signals into interruptions of a run. */
export interface SignalListener {
  readonly interruptions: Interruptions;
  /** The load has ended: a signal lets teardown finish. */
  readonly enterTeardown: () => void;
  /**
   * The run has ended: the first signal lets its reports finish, and every later one calls `stopWaiting`.
   */
  readonly enterReports: (stopWaiting: () => void) => void;
  /** All runs have ended: a signal lets the test's summary finish. */
  readonly enterSummary: () => void;
  /** From now on, signals do not reach the run. */
  readonly stopListening: () => void;
}

/**
 * Listens for signals. The first ends the load gracefully, or lets what follows the load finish; the second
 * ends the run at once.
 * @param isShared true for several runs at the same time: while one finishes, others still apply load
 */
export function listenForSignals(warn: (text: string) => void, isShared = false): SignalListener {
  const interruptions = new Interruptions();
  const waits: (() => void)[] = [];
  let effect = "ending gracefully";
  const enter = (next: string): void => {
    if (!isShared) effect = next;
  };
  const stopListening = onStopSignal((signal) => {
    const isFirst = !interruptions.isInterrupted;
    warn(isFirst ? `${signal}: ${effect}; press Ctrl+C again to stop now` : "stopping now");
    interruptions.interrupt(signal);
    if (!isFirst) for (const stopWaiting of waits) stopWaiting();
  });
  return {
    interruptions,
    enterTeardown: () => enter("the load has ended, finishing teardown"),
    enterReports: (stopWaiting) => {
      enter("the run has ended, finishing reports");
      waits.push(stopWaiting);
    },
    enterSummary: () => enter("the run has ended, finishing the test's summary"),
    stopListening,
  };
}
