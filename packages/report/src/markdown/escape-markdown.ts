import { printable } from "@bearhug/sdk/internal";

const empty = "(empty)";

/** A name, path or expression in a code span, where GitHub reads neither mentions nor links. */
export function code(text: string): string {
  const shown = printable(text) || empty;
  const fence = "`".repeat(longestRun(shown) + 1);
  const padding = /^`|`$|^ .* $/.test(shown) ? " " : "";
  return `${fence}${padding}${shown}${padding}${fence}`;
}

/** Lines as they are, in a block of code. */
export function codeBlock(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => printable(line.replaceAll("\t", "  ")));
  const fence = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
  return `${[`${fence}text`, ...lines, fence].join("\n")}\n`;
}

/** A sentence that may quote anything: it reads as written, and nothing in it is markup, a mention or a link. */
export function words(text: string): string {
  const shown = printable(text).trim();
  if (shown === "") return empty;
  return shown
    .replace(/[\\`*_[\]<>~&$^{}!]/g, "\\$&")
    .replaceAll("|", "&vert;")
    .replace(readByGitHub, `$&${zeroWidthSpace}`)
    .replace(/^[#+=-]/, "\\$&")
    .replace(/^(\d+)([.)])/, "$1\\$2");
}

/** Texts that GitHub links or replaces after it has read the markup, when a backslash is gone already. */
const readByGitHub = /@|#(?=\d)|\bGH-(?=\d)|:(?=\/\/)|\bwww(?=\.)|:(?=[\w\\+-]*[a-z+-][\w\\+-]*:)/gi;
const zeroWidthSpace = "&#8203;";

/** Text of a table's cell. A table is split at its pipes before anything else is read, code spans too. */
export function inCell(markdown: string): string {
  return markdown.replace(/(\\*)\|/g, (_, before: string) => (before === "" ? "\\|" : `${before}\\u{7c}`));
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
