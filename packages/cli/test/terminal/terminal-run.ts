import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import headless from "@xterm/headless";
import { onTestFinished } from "vitest";

const runInPty = fileURLToPath(new URL("run-in-pty.py", import.meta.url));

/**
 * True if Python is installed, or if BEARHUG_REQUIRE_TOOLS is set, so that tests fail instead of being
 * skipped.
 */
export const hasPython =
  process.env["BEARHUG_REQUIRE_TOOLS"] !== undefined || spawnSync("python3", ["--version"]).status === 0;

/** A program that runs in a terminal. */
export interface TerminalRun {
  /** Returns the lines on the screen of the terminal. */
  screen(): string[];
  /** Returns the lines on the screen and those that have scrolled off it. */
  everything(): string[];
  /** Resolves with the screen once its text matches. */
  showing(pattern: RegExp): Promise<string[]>;
  /** Resizes the terminal while the program is stopped, so that each frame is drawn for one size. */
  resize(columns: number, rows: number): Promise<void>;
  type(text: string): void;
  readonly isCursorHidden: boolean;
  /** All output of the program, with its escape sequences. */
  readonly written: string;
  readonly ended: Promise<{ readonly exitCode: number | null }>;
}

/** Starts a program in a pseudo-terminal, whose output goes to a terminal emulator. It ends with the test. */
export function startInTerminal(
  command: readonly string[],
  { columns, rows, environment }: { columns: number; rows: number; environment: Record<string, string> },
): TerminalRun {
  const emulator = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 });
  const child = spawn("python3", [runInPty, String(columns), String(rows), ...command], {
    stdio: ["pipe", "pipe", "pipe"],
    env: environment,
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
    emulator.dispose();
  });
  let written = "";
  let isCursorHidden = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text;
    emulator.write(text);
    for (const sign of text.split("\u001b[?25").slice(1)) isCursorHidden = sign.startsWith("l");
  });
  const order = (text: string): void => {
    child.stdin.write(`${text}\n`);
  };
  const drawn = (): Promise<void> =>
    new Promise((resolve) => {
      emulator.write("", resolve);
    });
  const lines = (from: number): string[] => {
    const { active } = emulator.buffer;
    const all = Array.from({ length: active.length - from }, (_, index) =>
      (active.getLine(from + index)?.translateToString(true) ?? "").trimEnd(),
    );
    return all.slice(0, all.findLastIndex((line) => line !== "") + 1);
  };
  const screen = (): string[] => lines(emulator.buffer.active.baseY);
  return {
    screen,
    everything: () => lines(0),
    showing: async (pattern) => {
      while (!pattern.test(screen().join("\n"))) await delay(20);
      return screen();
    },
    resize: async (newColumns, newRows) => {
      const paused = once(child.stderr, "data");
      order("pause");
      await paused;
      await delay(50);
      await drawn();
      emulator.resize(newColumns, newRows);
      order(`size ${newColumns} ${newRows}`);
    },
    type: (text) => {
      order(`type ${Buffer.from(text).toString("hex")}`);
    },
    get isCursorHidden() {
      return isCursorHidden;
    },
    get written() {
      return written;
    },
    ended: once(child, "close").then(async () => {
      await drawn();
      return { exitCode: child.exitCode };
    }),
  };
}
