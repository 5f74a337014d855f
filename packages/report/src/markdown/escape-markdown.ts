import { printable } from "@bearhug/text/printable";

const empty = "(empty)";

/**
 * Returns a name, path or expression as a code span, in which GitHub interprets neither mentions nor links.
 */
export function code(text: string): string {
  const shown = printable(text) || empty;
  const fence = "`".repeat(longestRun(shown) + 1);
  const padding = /^`|`$|^ .* $/.test(shown) ? " " : "";
  return `${fence}${padding}${shown}${padding}${fence}`;
}

/** Returns lines verbatim in a code block. */
export function codeBlock(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => printable(line.replaceAll("\t", "  ")));
  const fence = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
  return `${[`${fence}text`, ...lines, fence].join("\n")}\n`;
}

/**
 * Escapes a sentence that may quote external text: it reads as written, and nothing in it is markup, a
 * mention or a link.
 */
export function words(text: string): string {
  const shown = printable(text).trim();
  if (shown === "") return empty;
  return shown
    .replace(/[\\`*_[\]<>~&$^{}!]/g, "\\$&")
    .replaceAll("|", "&vert;")
    .replace(rewrittenByGitHub, `$&${zeroWidthSpace}`)
    .replace(/^[#+=-]/, "\\$&")
    .replace(/^(\d+)([.)])/, "$1\\$2");
}

/** Texts that GitHub links or replaces after parsing the markup, when backslash escapes are already gone. */
const rewrittenByGitHub = /@|#(?=\d)|\bGH-(?=\d)|:(?=\/\/)|\bwww(?=\.)|:(?=[\w\\+-]*[a-z+-][\w\\+-]*:)/gi;
const zeroWidthSpace = "&#8203;";

/**
 * Escapes text for a table cell. GitHub splits a row at its pipes before it parses anything else, even inside
 * code spans.
 */
export function inCell(markdown: string): string {
  return markdown.replace(/(\\*)\|/g, (_, before: string) => (before === "" ? "\\|" : `${before}\\u{7c}`));
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
