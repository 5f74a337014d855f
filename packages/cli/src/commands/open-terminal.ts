import type { RunObserver } from "@bearhug/engine/run/run-request";
import { every, systemClock } from "@bearhug/plan/pacing/clock";
import { createMultiplexer, type Multiplexer } from "@bearhug/report/multiplexer";
import type { ExtraSections } from "@bearhug/report/terminal/summary";
import {
  createTerminalReporter,
  type ProgressKind,
  type TerminalStream,
} from "@bearhug/report/terminal/terminal-reporter";
import { isForStdout } from "@bearhug/report/write-report";
import { printable } from "@bearhug/sdk/internal";
import { logLines } from "@bearhug/text/log-lines";
import { describeTerminal } from "@bearhug/text/terminal";

/** The two streams that people read. */
export interface OpenTerminal {
  /** Takes results to stdout, unless a report goes there, and progress to stderr. */
  readonly summary: Multiplexer;
  /** Prints this text on stdout in place of the result. */
  readonly ownSummary: (text: string) => Multiplexer;
  /** Writes one line to stderr. */
  readonly warn: (text: string) => void;
  /** Writes to stderr what a test logged, line by line. */
  readonly log: RunObserver["onLog"];
  /** Writes one line to stderr as it is. */
  readonly print: (line: string) => void;
  /** Shows the progress of a series of runs that have no summaries of their own. */
  readonly trials: Required<Pick<RunObserver, "onStart" | "onProgress">>;
  /** Says of the runs that begin from now on where they stand in a series; only the live view shows it. */
  readonly announce: (caption: string | null) => void;
  /** Erases the live view, however the run ended. */
  readonly close: () => void;
}

/** @param outs the reports of the command */
export function openTerminal(
  progress: ProgressKind,
  outs: readonly string[] = [],
  extra?: ExtraSections,
): OpenTerminal {
  const terminal = createTerminalReporter({
    summary: describeStream(isForStdout(outs) ? process.stderr : process.stdout),
    notes: describeStream(process.stderr),
    progress,
    ticker: {
      now: () => systemClock.now(),
      every: (periodMs, callback) => every(systemClock, periodMs, callback),
    },
    ...(extra && { extra }),
  });
  if (progress !== "none" && process.stderr.isTTY) hideWhenStopped(terminal.hide);
  const warn = (text: string): void => {
    terminal.note(printable(text));
  };
  return {
    summary: createMultiplexer([terminal], warn),
    ownSummary: (text) => createMultiplexer([{ ...terminal, onEnd: () => terminal.show(text) }], warn),
    warn,
    log: (line) => {
      terminal.note(...logLines(line));
    },
    print: terminal.print,
    trials: {
      onStart: (run) => {
        terminal.onStart(run);
      },
      onProgress: (snapshot) => {
        terminal.onInterval(snapshot);
      },
    },
    announce: terminal.announce,
    close: terminal.close,
  };
}

/** Ctrl+Z: gives the terminal to the shell without a view on it. After `fg`, the next frame shows it again. */
function hideWhenStopped(hide: () => void): void {
  const stop = (): void => {
    hide();
    // Stops only now, as the system would have without a listener.
    process.off("SIGTSTP", stop);
    process.kill(process.pid, "SIGTSTP");
    process.on("SIGTSTP", stop);
  };
  process.on("SIGTSTP", stop);
}

/** Described anew each time, because a terminal may be resized. */
function describeStream(stream: NodeJS.WriteStream): TerminalStream {
  const size = (): { columns: number; rows: number } => sizeOf(stream);
  return {
    stream,
    size,
    get terminal() {
      return describeTerminal(stream.isTTY ? { isTTY: true, ...size() } : stream, process.env);
    },
  };
}

/** What Node itself calls when a signal says that a terminal was resized; then it emits `resize`. */
interface Resizable extends NodeJS.WriteStream {
  readonly _refreshSize?: () => void;
}

/**
 * Asks the system. Node, whose `getWindowSize` gives what it knows, asks only after a signal: what is drawn between a resize and that
 * would leave lines behind.
 */
function sizeOf(stream: Resizable): { columns: number; rows: number } {
  try {
    stream._refreshSize?.();
  } catch {
    // The terminal is gone, so its width does not matter.
  }
  return { columns: stream.columns, rows: stream.rows };
}
