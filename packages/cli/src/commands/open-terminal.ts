import type { RunObserver } from "@bearhug/engine/run/run-request";
import { every, systemClock } from "@bearhug/plan/pacing/clock";
import { createMultiplexer, type Multiplexer } from "@bearhug/report/multiplexer";
import type { ExtraSections } from "@bearhug/report/terminal/summary";
import {
  createTerminalReporter,
  type ProgressKind,
  type TerminalStream,
} from "@bearhug/report/terminal/terminal-reporter";
import { writesToStdout } from "@bearhug/report/write-report";
import { logLines } from "@bearhug/text/log-lines";
import { printable } from "@bearhug/text/printable";
import { describeTerminal, sizeOf } from "@bearhug/text/terminal";

import { createWarnOnce } from "./warn-once.ts";

/** The two output streams: results on stdout, everything else on stderr. */
export interface OpenTerminal {
  /** Prints results to stdout (to stderr if a report uses stdout) and progress to stderr. */
  readonly summary: Multiplexer;
  /** Prints this text instead of the result. */
  readonly ownSummary: (text: string) => Multiplexer;
  /** Writes one line to stderr. */
  readonly warn: (text: string) => void;
  /** Writes a test's log output to stderr, line by line. */
  readonly log: RunObserver["onLog"];
  /** Writes one line to stderr unchanged, control characters included. */
  readonly print: (line: string) => void;
  /** Shows a series of runs that have no summaries of their own, and a warning of several only once. */
  readonly trials: RunObserver;
  /**
   * Sets the caption of the runs that follow, such as their place in a series; only the live view shows it.
   */
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
    summary: describeStream(writesToStdout(outs) ? process.stderr : process.stdout),
    notes: describeStream(process.stderr),
    progress,
    ticker: {
      now: () => systemClock.now(),
      every: (periodMs, callback) => every(systemClock, periodMs, callback),
    },
    ...(extra && { extra }),
  });
  if (progress !== "none" && process.stderr.isTTY) hideWhenStopped(terminal.hide);
  const warn = (text: string): void => terminal.note(printable(text));
  const log: RunObserver["onLog"] = (line) => terminal.note(...logLines(line));
  return {
    summary: createMultiplexer([terminal], warn),
    ownSummary: (text) => createMultiplexer([{ ...terminal, onEnd: () => terminal.show(text) }], warn),
    warn,
    log,
    print: terminal.print,
    trials: {
      onStart: (run) => terminal.onStart(run),
      onProgress: (snapshot) => terminal.onInterval(snapshot),
      onLog: log,
      onWarning: createWarnOnce(warn),
    },
    announce: terminal.setCaption,
    close: terminal.close,
  };
}

/** Hides the live view on Ctrl+Z. After `fg`, the next frame shows it again. */
function hideWhenStopped(hide: () => void): void {
  const stop = (): void => {
    hide();
    // Stops the process, which the system would have done without a listener.
    process.off("SIGTSTP", stop);
    process.kill(process.pid, "SIGTSTP");
    process.on("SIGTSTP", stop);
  };
  process.on("SIGTSTP", stop);
}

/** Describes a stream through getters, because a terminal may be resized. */
function describeStream(stream: NodeJS.WriteStream): TerminalStream {
  return {
    stream,
    size: () => sizeOf(refreshed(stream)),
    get terminal() {
      return describeTerminal(refreshed(stream));
    },
  };
}

/**
 * A stream with the method that Node calls internally when a signal reports a resize, before it emits
 * `resize`.
 */
interface Resizable extends NodeJS.WriteStream {
  readonly _refreshSize?: () => void;
}

/**
 * Returns the stream with the current size, from the system. Node updates the size only after a signal: a frame
 * drawn between the resize and the signal would leave stale lines behind.
 */
function refreshed(stream: Resizable): NodeJS.WriteStream {
  try {
    stream._refreshSize?.();
  } catch {
    // The terminal is gone, so its width does not matter.
  }
  return stream;
}
