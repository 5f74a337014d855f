import type { Writable } from "node:stream";

import type { IntervalSnapshot, RunDescription } from "@bearhug/sdk";
import { wrap } from "@bearhug/text/display-width";
import { printable } from "@bearhug/text/printable";
import type { Terminal } from "@bearhug/text/terminal";
import { createTextOutput } from "@bearhug/text/text-output";

import type { Reporter } from "../reporter.ts";
import { LiveView, type Ticker } from "./live/live-view.ts";
import { ProgressLog } from "./progress-log.ts";
import { type ExtraSections, renderSummary } from "./summary.ts";

/** A stream, and what it can display at the moment. */
export interface TerminalStream {
  readonly stream: Writable;
  readonly terminal: Terminal;
  readonly size: () => { readonly columns: number; readonly rows: number };
}

/** Writes the summary to one stream, and progress and notes to another during the run. */
export interface TerminalReporter extends Reporter {
  onStart(run: RunDescription): void;
  onInterval(snapshot: IntervalSnapshot): void;
  /**
   * Writes a note above the live view. On a terminal it is wrapped between words. The lines `below` belong to
   * the note and are not wrapped.
   */
  readonly note: (text: string, ...below: readonly string[]) => void;
  /** Writes a test's own summary to the stream of the summary. */
  readonly show: (text: string) => Promise<void>;
  /** Writes a line unchanged to the stream of the notes. */
  readonly print: (line: string) => void;
  /** Sets the caption for runs that begin from now on: their place in a series; null for single runs. */
  readonly setCaption: (caption: string | null) => void;
  /** Erases the live view until its next frame. */
  readonly hide: () => void;
  /** Erases the live view, however the run ended. */
  readonly close: () => void;
}

/**
 * How progress is shown on the stream of the notes. `live`: on a terminal, as a view that is kept up to date;
 * `everywhere`: also elsewhere, as a line every 10 s.
 */
export type ProgressKind = "everywhere" | "live" | "none";

export interface TerminalStreams {
  readonly summary: TerminalStream;
  readonly notes: TerminalStream;
  readonly progress: ProgressKind;
  readonly ticker: Ticker;
  /** @default only the sections that every summary has */
  readonly extra?: ExtraSections;
}

const noteLead = "bearhug: ";

export function createTerminalReporter(streams: TerminalStreams): TerminalReporter {
  const { summary, notes, progress, extra } = streams;
  const report = createTextOutput(summary.stream);
  const side = createTextOutput(notes.stream);
  const log = new ProgressLog();
  // A broken stream for notes is no reason to stop a run: its verdict goes to the other stream.
  const send = (text: string): void => {
    void side.write(text).catch(() => undefined);
  };
  const view = createView(streams, send);
  const write = (text: string): void => {
    if (view === null) send(text);
    else view.write(text);
  };
  return {
    name: "terminal",
    note: (text, ...below) => {
      const [first = "", ...rest] = [...wrapNote(text, notes.terminal), ...below];
      const indented = rest.map((line) => `\n${" ".repeat(line === "" ? 0 : noteLead.length)}${line}`);
      write(`${noteLead}${first}${indented.join("")}\n`);
    },
    print: (line) => write(`${line}\n`),
    setCaption: (caption) => {
      view?.announce(caption);
    },
    hide: () => {
      view?.hide();
    },
    onStart: (run) => {
      view?.start(run);
    },
    onInterval: (snapshot) => {
      view?.add(snapshot);
      if (view !== null || progress !== "everywhere" || notes.stream.writableNeedDrain) return;
      const line = log.add(snapshot, notes.terminal.unicode);
      if (line !== null) write(`${noteLead}${line}\n`);
    },
    onEnd: async (result) => {
      view?.close();
      await report.write(renderSummary(result, summary.terminal, extra));
    },
    show: async (text) => {
      view?.close();
      await report.write(renderOwnSummary(text, summary.terminal));
    },
    close: () => {
      view?.close();
    },
  };
}

/** Returns null if the stream cannot show a live view. */
function createView(
  { notes, progress, ticker }: TerminalStreams,
  write: (text: string) => void,
): LiveView | null {
  if (progress === "none" || !notes.terminal.isLive) return null;
  const { size, stream } = notes;
  return new LiveView({ ticker, terminal: () => notes.terminal, size, output: stream, write });
}

/**
 * Wraps a note for a terminal. In a log it stays on one line. A path longer than a line is not broken, so
 * that it can be copied.
 */
function wrapNote(text: string, { isLive, width }: Terminal): string[] {
  return isLive ? wrap(text, width - noteLead.length, false) : [text];
}

const escape = "\u001B";
const lineEndsTabsAndColors = new RegExp(`(\\r?\\n|\\t|${escape}\\[[\\d;]*m)`);

/**
 * Renders a test's own summary, which may quote the target. Colors are kept if the terminal shows them; all
 * other control sequences are escaped.
 */
export function renderOwnSummary(
  text: string,
  { colors, unicode }: Pick<Terminal, "colors" | "unicode">,
): string {
  const shown = text
    .split(lineEndsTabsAndColors)
    .map((part, index) => {
      if (index % 2 === 0) return printable(part, { unicode });
      return part.startsWith(escape) && !colors ? "" : part;
    })
    .join("");
  return shown === "" || shown.endsWith("\n") ? shown : `${shown}\n`;
}
