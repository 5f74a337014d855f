import { EventEmitter } from "node:events";

import headless from "@xterm/headless";
import { onTestFinished } from "vitest";

/** A terminal emulator that returns its lines as they would be displayed. */
export class Emulator extends EventEmitter {
  readonly #terminal: headless.Terminal;
  writes = 0;
  isCursorHidden = false;
  readonly writableNeedDrain: boolean = false;

  constructor(columns: number, rows: number) {
    super();
    this.#terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
    onTestFinished(() => {
      this.#terminal.dispose();
    });
  }

  readonly size = (): { columns: number; rows: number } => ({
    columns: this.#terminal.cols,
    rows: this.#terminal.rows,
  });

  readonly write = (text: string): void => {
    this.writes++;
    for (const sign of text.split("\u001b[?25").slice(1)) this.isCursorHidden = sign.startsWith("l");
    // A terminal driver converts line feeds to CR LF.
    this.#terminal.write(text.replaceAll("\n", "\r\n"));
  };

  async resize(columns: number, rows: number): Promise<void> {
    await this.#drawn();
    this.#terminal.resize(columns, rows);
    this.emit("resize");
  }

  /** Returns all lines, including those that have scrolled out of view. */
  async lines(): Promise<string[]> {
    await this.#drawn();
    const { active } = this.#terminal.buffer;
    const all = Array.from({ length: active.length }, (_, index) =>
      (active.getLine(index)?.translateToString(true) ?? "").trimEnd(),
    );
    return all.slice(0, all.findLastIndex((line) => line !== "") + 1);
  }

  /** Resolves when all written text is on the screen. */
  #drawn(): Promise<void> {
    return new Promise((resolve) => {
      this.#terminal.write("", resolve);
    });
  }
}
