/** Receives a sink's problems, one sentence each. They never change a verdict. */
export interface SinkListener {
  /** Shown during the run. */
  warn(text: string): void;
  /** Shown with the result: which samples did not arrive. */
  lose(text: string): void;
}
