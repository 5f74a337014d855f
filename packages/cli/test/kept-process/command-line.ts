/** A command line that a kept process is to do. */
export interface CommandLine {
  /** Unique within that process. */
  readonly id: number;
  /** The program: a module that does what `process.argv` says when it is loaded. */
  readonly program: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The answer to a command line that has ended. */
export interface CommandEnd {
  readonly exitCode: number;
  /** False if work goes on that would have ended with the process. */
  readonly isAtRest: boolean;
}

/** The output of a command line, and its exit code; null after a signal. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Written to stdout and stderr after everything that a command line writes. */
export function endOfOutput(id: number): string {
  return `\0end of ${id}\0`;
}
