import { createInterface } from "node:readline";

/** True if somebody can be asked: not in CI, and not where the command's input or output is redirected. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks a question on the terminal. Returns the line that was typed; null for the end of the input (Ctrl-D). */
export async function askLine(question: string): Promise<string | null> {
  process.stderr.write(`${question} `);
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    for await (const line of lines) return line.trim();
    return null;
  } finally {
    lines.close();
  }
}
