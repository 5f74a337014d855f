import type { IntervalSnapshot, RunDescription } from "@bearhug/sdk";
import type { Terminal } from "@bearhug/text/terminal";

import { renderLive } from "./render-live.ts";
import { shownSeconds, type LiveState } from "./live-state.ts";
import { Screen, type TerminalOutput } from "./screen.ts";

/** The clock of a live view. */
export interface Ticker {
  now(): number;
  /** Calls back once every period until the returned function is called. */
  every(periodMs: number, callback: () => void): () => void;
}

export interface LiveViewOptions {
  readonly ticker: Ticker;
  /** Returns the terminal as it is now: it may be resized. */
  readonly terminal: () => Terminal;
  readonly size: TerminalOutput["size"];
  readonly output: Pick<TerminalOutput, "on" | "off"> & { readonly writableNeedDrain: boolean };
  readonly write: (text: string) => void;
}

/** Often enough for smooth bars; unchanged frames are not drawn. */
const frameEveryMs = 200;
/** A run that is over sooner is not worth a view. */
const firstFrameAfterMs = 400;

/** Shows a run while it lasts, at the bottom of a terminal. */
export class LiveView {
  readonly #options: LiveViewOptions;
  #state: LiveState = { run: null, snapshots: [], sinceMs: 0 };
  #caption: string | null = null;
  #changedMs: number;
  #screen: Screen | null = null;
  #endFrames: (() => void) | null = null;
  #isClosed = false;

  constructor(options: LiveViewOptions) {
    this.#options = options;
    this.#changedMs = options.ticker.now();
  }

  /** Sets the caption for runs that begin from now on: their place in a series. */
  announce(caption: string | null): void {
    this.#caption = caption;
  }

  /** Begins a run and discards the one before. */
  start(run: RunDescription): void {
    const caption = this.#caption === null ? {} : { caption: this.#caption };
    this.#state = { run, ...caption, snapshots: [], sinceMs: 0 };
    this.#changedMs = this.#options.ticker.now();
    this.#isClosed = false;
    this.#endFrames ??= this.#options.ticker.every(frameEveryMs, () => this.#frame());
  }

  add(snapshot: IntervalSnapshot): void {
    const snapshots = [...this.#state.snapshots, snapshot].slice(-shownSeconds);
    this.#state = { ...this.#state, snapshots };
    this.#changedMs = this.#options.ticker.now();
    this.#frame();
  }

  /** Writes text that ends a line; above the view, if it is shown. */
  write(text: string): void {
    if (this.#screen === null) this.#options.write(text);
    else this.#screen.writeAbove(text);
  }

  /** Erases the view until the next frame, so that something else can use the terminal for a while. */
  hide(): void {
    this.#screen?.show([]);
  }

  /** Erases the view. Another run may start it again. */
  close(): void {
    this.#isClosed = true;
    this.#endFrames?.();
    this.#endFrames = null;
    this.#screen?.close();
    this.#screen = null;
  }

  #frame(): void {
    const { ticker, terminal, output } = this.#options;
    const sinceMs = ticker.now() - this.#changedMs;
    // A slow terminal must not get further frames.
    if (output.writableNeedDrain) return;
    if (this.#state.snapshots.length === 0 && sinceMs < firstFrameAfterMs) return;
    if (this.#screen === null) void this.#open();
    else this.#screen.show(renderLive({ ...this.#state, sinceMs }, terminal()));
  }

  /** Loads the drawing code on first use: short runs, and runs without a terminal, never need it. */
  async #open(): Promise<void> {
    const { createLogUpdate } = await import("log-update");
    if (this.#isClosed || this.#screen !== null) return;
    const { output, size, write } = this.#options;
    const terminal: TerminalOutput = {
      size,
      on: (event, listener) => output.on(event, listener),
      off: (event, listener) => output.off(event, listener),
    };
    this.#screen = new Screen(createLogUpdate, terminal, write, () => this.#frame());
    this.#frame();
  }
}
