import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

import { displayWidth } from "@bearhug/sdk/internal";
import type { createLogUpdate } from "log-update";

/** The stream of a terminal. */
export interface TerminalOutput {
  /** As they are at this moment: the event comes meanwhile, or later. */
  readonly size: () => { readonly columns: number; readonly rows: number };
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

const hideCursor = "\u001B[?25l";
const showCursor = "\u001B[?25h";
const eraseLineAndGoUp = "\u001B[2K\u001B[1A";

/**
 * Lines at the bottom of a terminal, which change in place. Text that is written above them stays. The cursor is hidden only while
 * lines are drawn: whatever ends the process, nothing is left to restore.
 */
export class Screen {
  readonly #terminal: TerminalOutput;
  readonly #write: (text: string) => void;
  readonly #draw: ReturnType<typeof createLogUpdate>;
  readonly #onResize: () => void;
  #lines: readonly string[] = [];
  /** For which the lines were drawn. */
  #columns: number;
  #drawn = "";

  /** `write` takes all that belongs together in one piece. */
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
    // Whoever is asked for the size may tell of a resize, and other lines are drawn.
    this.#terminal.size();
    const lines = this.#lines;
    this.#adaptWidth();
    this.#erase();
    this.#drawn += text;
    this.#render(lines);
    this.#flush();
  }

  /** Erases the lines, and listens to the terminal no longer. */
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

  /** A terminal that has become narrower has wrapped lines, which then take several of its own: nothing can be drawn over them. */
  #adaptWidth(): void {
    const { columns } = this.#terminal.size();
    if (columns === this.#columns) return;
    this.#columns = columns;
    const added = this.#lines.reduce((sum, line) => {
      const width = displayWidth(stripVTControlCharacters(line));
      return sum + Math.max(0, Math.ceil(width / columns) - 1);
    }, 0);
    this.#drawn += eraseLineAndGoUp.repeat(added);
    this.#erase();
  }

  #flush(): void {
    if (this.#drawn === "") return;
    const text = hideCursor + this.#drawn + showCursor;
    this.#drawn = "";
    this.#write(text);
  }

  /** Stands for the terminal's stream, so that what belongs together can be written in one piece. */
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
