import { printable } from "./printable.ts";

/** Returns lines as a text, in which each line ends. */
export function asLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns lines of a foreign text, made safe for a terminal. */
export function printableLines(lines: readonly string[]): string {
  return asLines(lines.map((line) => printable(line)));
}
