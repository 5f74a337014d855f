/** Receives a sink's problems, one sentence each. They never change a verdict. */
export interface SinkTeller {
  /** Shown while the run goes on. */
  warn(text: string): void;
  /** Shown with the result: the samples that did not arrive. */
  lose(text: string): void;
}
