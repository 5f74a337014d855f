import { printable } from "@bearhug/text/printable";

/** Prints a line on stderr. */
export function warn(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}
