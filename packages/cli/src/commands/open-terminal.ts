import { printable } from "@bearhug/sdk/internal";
import { describeTerminal } from "../format/terminal.ts";
import { createMultiplexer, type Multiplexer } from "../reporters/multiplexer.ts";
import type { ExtraSections } from "../reporters/terminal/summary.ts";
import { createTerminalReporter } from "../reporters/terminal/terminal-reporter.ts";

/** The two streams that people read. */
export interface OpenTerminal {
  /** Takes results to stdout, and progress to stderr. */
  readonly summary: Multiplexer;
  /** Takes this text to stdout in place of the result. */
  readonly ownSummary: (text: string) => Multiplexer;
  /** Writes one line to stderr. */
  readonly warn: (text: string) => void;
  /** Writes one line to stderr as it is. */
  readonly print: (line: string) => void;
}

export function openTerminal(hasProgress: boolean, extra?: ExtraSections): OpenTerminal {
  const terminal = createTerminalReporter({
    summary: { stream: process.stdout, terminal: describeTerminal(process.stdout, process.env) },
    notes: { stream: process.stderr, terminal: describeTerminal(process.stderr, process.env) },
    hasProgress,
    ...(extra && { extra }),
  });
  const warn = (text: string): void => {
    terminal.note(printable(text));
  };
  return {
    summary: createMultiplexer([terminal], warn),
    ownSummary: (text) => createMultiplexer([{ ...terminal, onEnd: () => terminal.show(text) }], warn),
    warn,
    print: terminal.print,
  };
}
