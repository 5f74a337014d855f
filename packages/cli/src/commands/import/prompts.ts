import { createInterface } from "node:readline";

/** True if the user can be prompted: input and output are a terminal, unlike in CI. */
export function canPrompt(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Prints a question on the terminal. Returns the typed line; null at the end of the input (Ctrl-D). */
export async function promptLine(question: string): Promise<string | null> {
  process.stderr.write(`${question} `);
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    for await (const line of lines) return line.trim();
    return null;
  } finally {
    lines.close();
  }
}
