import { wrap } from "@bearhug/sdk/internal";
import type { Writable } from "node:stream";

import type { IntervalSnapshot } from "@bearhug/sdk";

import type { Terminal } from "../../format/terminal.ts";
import type { Reporter } from "../reporter.ts";
import { createTextOutput } from "../text-output.ts";
import { ProgressLog } from "./progress-log.ts";
import { renderOwnSummary } from "./own-summary.ts";
import { renderProgress } from "./progress.ts";
import { type ExtraSections, renderSummary } from "./summary.ts";

/** A stream, and what it can show. */
export interface TerminalStream {
  readonly stream: Writable;
  readonly terminal: Terminal;
}

/** The summary on one stream; progress and notes, meanwhile, on another. */
export interface TerminalReporter extends Reporter {
  onInterval?(snapshot: IntervalSnapshot): void;
  /** Writes a line of its own, between those of the progress; on a terminal as many as it takes, wrapped between words. */
  readonly note: (text: string) => void;
  /** Writes a test's own summary where the summary goes. */
  readonly show: (text: string) => Promise<void>;
  /** Writes a line as it is where the notes go. */
  readonly print: (line: string) => void;
}

export interface TerminalStreams {
  readonly summary: TerminalStream;
  readonly notes: TerminalStream;
  /** True to show progress on the notes' stream: on a terminal a line that is kept up to date, elsewhere one every 10 s. */
  readonly hasProgress: boolean;
  /** @default only the sections that every summary has */
  readonly extra?: ExtraSections;
}

const eraseLine = "\r\u001B[K";
const noteLead = "bearhug: ";

export function createTerminalReporter({
  summary,
  notes,
  hasProgress,
  extra,
}: TerminalStreams): TerminalReporter {
  const report = createTextOutput(summary.stream);
  const side = createTextOutput(notes.stream);
  const log = new ProgressLog();
  let isLineShown = false;
  // A broken stream for notes is no reason to stop a run: its verdict goes to the other stream.
  const write = (text: string): void => {
    void side.write(isLineShown ? eraseLine + text : text).catch(() => undefined);
    isLineShown = false;
  };
  return {
    name: "terminal",
    note: (text) => {
      write(`${noteLead}${wrapNote(text, notes.terminal).join(`\n${" ".repeat(noteLead.length)}`)}\n`);
    },
    print: (line) => {
      write(`${line}\n`);
    },
    onInterval: (snapshot) => {
      // A reader that is slow to take one line is not helped by another.
      if (!hasProgress || notes.stream.writableNeedDrain) return;
      if (!notes.terminal.isLive) {
        const line = log.add(snapshot, notes.terminal.unicode);
        if (line !== null) write(`${noteLead}${line}\n`);
        return;
      }
      write(renderProgress(snapshot, notes.terminal));
      isLineShown = true;
    },
    onEnd: async (result) => {
      if (isLineShown) write("");
      await report.write(renderSummary(result, summary.terminal, extra));
    },
    show: async (text) => {
      if (isLineShown) write("");
      await report.write(renderOwnSummary(text, summary.terminal));
    },
  };
}

/** Logs keep one line for each note. A path that is longer than a line stays whole, so that it can be copied. */
function wrapNote(text: string, { isLive, width }: Terminal): string[] {
  return isLive ? wrap(text, width - noteLead.length, false) : [text];
}
