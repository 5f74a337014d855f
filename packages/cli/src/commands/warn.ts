import type { GithubOutput } from "@bearhug/report/github/github-actions";
import { printable } from "@bearhug/text/printable";

/** Prints a line on stderr. */
export function warn(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** Prints a sentence of bearhug's own on stderr. */
export function printMessage(text: string): void {
  warn(`bearhug: ${text}`);
}

/** The log of a command that has no live view. */
export const plainLog: GithubOutput = {
  print: (line) => void process.stderr.write(`${line}\n`),
  warn: printMessage,
};
