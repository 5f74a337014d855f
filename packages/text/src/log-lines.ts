import { printable } from "./printable.ts";

/** A text that a test logged or printed. */
interface Logged {
  readonly level: "info" | "warn" | "error";
  readonly text: string;
  /** The stage, or the scenario and the virtual user; or the console. */
  readonly from: string;
}

/**
 * Returns a test's log for display: the source is on the first line, and further lines follow it, indented.
 */
export function logLines({ level, text, from }: Logged): [string, ...string[]] {
  const [first, ...below] = splitLog(text);
  const lead = level === "info" ? "" : `${level}: `;
  return [`${lead}${safe(first)}  (${safe(from)})`, ...below.map((line) => safe(`  ${line}`).trimEnd())];
}

/** Returns the lines of a text that a test logged, without blank lines at its beginning and end. */
export function splitLog(text: string): [string, ...string[]] {
  const [first = "", ...below] = text
    .replace(/^(?:[ \t]*\r?\n)+/, "")
    .trimEnd()
    .replaceAll("\t", "    ")
    .split(/\r?\n/);
  return [first, ...below];
}

/**
 * Returns a line in printable characters. A CI runner reads a line that begins with "::" and
 * a word as a command.
 */
function safe(line: string): string {
  return printable(line).replace(/^(\s*)::(?=[a-z])/i, "$1:\\u{3a}");
}
