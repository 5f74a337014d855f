import { printable } from "@bearhug/sdk/internal";

/** Something that a test logged or printed. */
interface Logged {
  readonly level: "info" | "warn" | "error";
  readonly text: string;
  /** The stage, or the scenario and the virtual user; or the console. */
  readonly from: string;
}

/** A test's log as people read it: where it comes from is on the first line, and further lines stand below it, indented. */
export function logLines({ level, text, from }: Logged): [string, ...string[]] {
  const [first, ...below] = splitLog(text);
  const lead = level === "info" ? "" : `${level}: `;
  return [`${lead}${safe(first)}  (${safe(from)})`, ...below.map((line) => safe(`  ${line}`).trimEnd())];
}

/** The lines of a text that a test logged, without blank ones around it. */
export function splitLog(text: string): [string, ...string[]] {
  const [first = "", ...below] = text
    .replace(/^(?:[ \t]*\r?\n)+/, "")
    .trimEnd()
    .replaceAll("\t", "    ")
    .split(/\r?\n/);
  return [first, ...below];
}

/** On one line. A CI runner takes a line that begins with "::" and a word for a command. */
function safe(line: string): string {
  return printable(line).replace(/^(\s*)::(?=[a-z])/i, "$1:\\u{3a}");
}
