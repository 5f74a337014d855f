import { BearhugError } from "@bearhug/sdk";

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A signal came before the work was done. */
export class Stopped extends BearhugError {
  override readonly name = "Stopped";
  readonly code = "STOPPED";
  constructor(signal: string, options?: ErrorOptions) {
    super(`${signal}: stopped, and no file was written`, options);
  }
}

/**
 * Does something that a signal stops, so that it can clear away what it began. A second signal ends the process at once,
 * as the system does.
 * @throws {Stopped} where the work gave up because of the signal
 */
export async function untilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  let stoppedBy: string | null = null;
  const stop = (signal: string): void => {
    stopListening();
    stoppedBy = signal;
    controller.abort(new Stopped(signal));
  };
  const stopListening = (): void => {
    for (const signal of stopSignals) process.off(signal, stop);
  };
  for (const signal of stopSignals) process.on(signal, stop);
  try {
    await work(controller.signal);
  } catch (error) {
    throw stoppedBy === null ? error : new Stopped(stoppedBy, { cause: error });
  } finally {
    stopListening();
  }
}
