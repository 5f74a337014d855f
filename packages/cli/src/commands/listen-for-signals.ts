import { Interruptions } from "../run/interruptions.ts";
import { onStopSignal } from "./stop-signals.ts";

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
