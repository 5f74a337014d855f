import type { WorkerStart } from "./messages.ts";

/** The end of a worker's thread. */
export interface WorkerEnd {
  /** Null unless the thread crashed. */
  readonly error: Error | null;
  readonly exitCode: number;
}

/** A worker, as the coordinator controls it. */
export interface WorkerHandle<Sent, Received> {
  readonly send: (message: Sent) => void;
  /** Called once. */
  readonly receive: (listener: (message: Received) => void) => void;
  readonly ended: Promise<WorkerEnd>;
  /** Resolves to true if the worker's code uses more memory than one worker may have. */
  readonly isOutOfHeap: () => Promise<boolean>;
  /** Releases a thread whose work is done: it may run another worker, or end. */
  release(): Promise<void>;
  /** Lets the thread end as soon as nothing that its code began keeps it alive, be it during the load or after it. */
  letEnd(): void;
  /**
   * Lets the thread end by itself: for a moment its code may finish what it began, and its exit listeners
   * run.
   */
  leave(): Promise<void>;
  /** Ends the thread, whatever it is doing. */
  terminate(): Promise<void>;
}

/** Starts a worker; `onOutput` receives what its code prints. */
export type Launcher = <Sent, Received>(
  start: WorkerStart,
  onOutput: (text: string) => void,
) => WorkerHandle<Sent, Received>;
