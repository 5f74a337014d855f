/** A command line for a kept process to run. */
export interface CommandLine {
  /** Unique within that process. */
  readonly id: number;
  /** The program: a module that runs the command in `process.argv` when it is loaded. */
  readonly program: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The message of a kept process after a command line has ended. */
export interface CommandEnd {
  readonly exitCode: number;
  /** False if the command left work running that would have ended with its process. */
  readonly isAtRest: boolean;
}

/** The output of a command line, and its exit code; null after a signal. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns the mark that is written to stdout and stderr after all output of a command line. */
export function endOfOutput(id: number): string {
  return `\0end of ${id}\0`;
}
