import { printable } from "@bearhug/text/printable";
import type { Terminal } from "@bearhug/text/terminal";

const escape = "\u001B";
const lineEndsTabsAndColors = new RegExp(`(\\r?\\n|\\t|${escape}\\[[\\d;]*m)`);

/**
 * Renders a test's own summary, which may quote the target. Colors are kept if the terminal shows them; all
 * other control sequences are escaped.
 */
export function renderOwnSummary(
  text: string,
  { colors, unicode }: Pick<Terminal, "colors" | "unicode">,
): string {
  const shown = text
    .split(lineEndsTabsAndColors)
    .map((part, index) => {
      if (index % 2 === 0) return printable(part, { unicode });
      return part.startsWith(escape) && !colors ? "" : part;
    })
    .join("");
  return shown === "" || shown.endsWith("\n") ? shown : `${shown}\n`;
}
