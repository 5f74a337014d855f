/** Writes a line to the test's messages, with the scenario and virtual user it came from. */
export interface Log {
  /** The same as `info`. */
  (message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
