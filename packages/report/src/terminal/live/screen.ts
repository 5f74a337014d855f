import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

import { sumBy } from "@bearhug/metrics/sum";
import { displayWidth } from "@bearhug/text/display-width";
import type { createLogUpdate } from "log-update";

/** The stream of a terminal. */
export interface TerminalOutput {
  /** Returns the current size. Reading it may emit `resize`; otherwise the event comes later. */
  readonly size: () => { readonly columns: number; readonly rows: number };
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

const hideCursor = "\u001B[?25l";
const showCursor = "\u001B[?25h";
const eraseLineAndGoUp = "\u001B[2K\u001B[1A";

/**
 * Lines at the bottom of a terminal, which change in place. Text written above them stays. The cursor is
 * hidden only while lines are drawn, so that nothing needs restoring however the process ends.
 */
export class Screen {
  readonly #terminal: TerminalOutput;
  readonly #write: (text: string) => void;
  readonly #draw: ReturnType<typeof createLogUpdate>;
  readonly #onResize: () => void;
  #lines: readonly string[] = [];
  /** The width for which the lines were drawn. */
  #columns: number;
  #drawn = "";

  /** `write` receives each update as one text. */
  constructor(
    create: typeof createLogUpdate,
    terminal: TerminalOutput,
    write: (text: string) => void,
    onResize: () => void,
  ) {
    this.#terminal = terminal;
    this.#write = write;
    this.#draw = create(this.#collector(), { showCursor: true });
    this.#columns = terminal.size().columns;
    this.#onResize = onResize;
    terminal.on("resize", this.#onResize);
  }

  show(lines: readonly string[]): void {
    this.#adaptWidth();
    if (lines.length === this.#lines.length && lines.every((line, index) => line === this.#lines[index]))
      return;
    this.#render(lines);
    this.#flush();
  }

  /** Writes text above the lines; it must end a line. */
  writeAbove(text: string): void {
    // Reading the size may emit `resize`, whose listener draws other lines.
    this.#terminal.size();
    const lines = this.#lines;
    this.#adaptWidth();
    this.#erase();
    this.#drawn += text;
    this.#render(lines);
    this.#flush();
  }

  /** Erases the lines, and stops listening for resizes. */
  close(): void {
    this.#terminal.off("resize", this.#onResize);
    this.#adaptWidth();
    this.#erase();
    this.#flush();
  }

  #render(lines: readonly string[]): void {
    this.#lines = lines;
    if (lines.length > 0) this.#draw(lines.join("\n"));
    else this.#draw.clear();
  }

  #erase(): void {
    if (this.#lines.length > 0) this.#draw.clear();
    this.#lines = [];
  }

  /**
   * Erases the lines after a resize. A narrower terminal has wrapped them into more lines, which drawing
   * could not replace.
   */
  #adaptWidth(): void {
    const { columns } = this.#terminal.size();
    if (columns === this.#columns) return;
    this.#columns = columns;
    const added = sumBy(this.#lines, (line) => {
      const width = displayWidth(stripVTControlCharacters(line));
      return Math.max(0, Math.ceil(width / columns) - 1);
    });
    this.#drawn += eraseLineAndGoUp.repeat(added);
    this.#erase();
  }

  #flush(): void {
    if (this.#drawn === "") return;
    const text = hideCursor + this.#drawn + showCursor;
    this.#drawn = "";
    this.#write(text);
  }

  /**
   * Returns a stand-in for the terminal's stream, which collects an update so that it is written as one text.
   */
  #collector(): Writable {
    const terminal = this.#terminal;
    const stream = new Writable({
      decodeStrings: false,
      write: (chunk: string, _encoding, done) => {
        this.#drawn += chunk;
        done();
      },
    });
    return Object.defineProperties(stream, {
      isTTY: { value: true },
      columns: { get: () => this.#columns },
      rows: { get: () => terminal.size().rows },
    });
  }
}
