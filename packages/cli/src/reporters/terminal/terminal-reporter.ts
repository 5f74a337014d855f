import type { Writable } from "node:stream";

import type { Terminal } from "../../format/terminal.ts";
import type { Reporter } from "../reporter.ts";
import { createTextOutput } from "../text-output.ts";
import { renderSummary } from "./summary.ts";

/** A stream, and what it can show. */
export interface TerminalStream {
  readonly stream: Writable;
  readonly terminal: Terminal;
}

/** The summary on one stream; progress and notes, meanwhile, on another. */
export interface TerminalReporter extends Reporter {
  /** Writes a line between those of the progress. */
  note(text: string): void;
}

export function createTerminalReporter({ summary }: { readonly summary: TerminalStream }): TerminalReporter {
  const report = createTextOutput(summary.stream);
  return {
    name: "terminal",
    note: (text) => { process.stderr.write(`bearhug: ${text}\n`); },
    onEnd: (result) => report.write(renderSummary(result, summary.terminal)),
  };
}
