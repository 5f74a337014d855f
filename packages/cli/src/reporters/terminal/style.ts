import { createPalette, type Palette } from "../../format/color.ts";
import { printable } from "../../format/printable.ts";
import { type Column, renderTable, type Row } from "../../format/table.ts";
import type { Terminal } from "../../format/terminal.ts";
import { wrap } from "../../format/wrap.ts";
import { chooseSymbols, type Symbols } from "./symbols.ts";

/** How a section is drawn on one terminal. */
export interface Style extends Palette {
  readonly width: number;
  readonly symbols: Symbols;
  /** What comes from outside (target, capture, test), made safe to show. Everything that does passes here. */
  readonly text: (outside: string) => string;
  /** Lines of a section's table, indented below its heading. */
  readonly table: (columns: readonly Column[], rows: readonly Row[]) => string[];
  /** Lines of safe text that is wrapped where it must be. */
  readonly paragraph: (text: string, options?: ParagraphOptions) => string[];
  readonly heading: (title: string, note?: string) => string;
}

export interface ParagraphOptions {
  /** Stands before the first line; the others are indented as far. */
  readonly lead?: string;
  readonly indent?: number;
  readonly paint?: (line: string) => string;
}

const sectionIndent = 2;

export function createStyle({ colors, width, unicode }: Terminal): Style {
  const palette = createPalette(colors);
  const symbols = chooseSymbols(unicode);
  return {
    ...palette,
    width,
    symbols,
    text: (outside) => printable(outside, { unicode }),
    table: (columns, rows) =>
      renderTable(columns, rows, {
        width,
        indent: sectionIndent,
        ellipsis: symbols.ellipsis,
        paintTitle: palette.faint,
      }),
    paragraph: (text, { lead = "", indent = sectionIndent, paint = (line: string) => line } = {}) => {
      const hang = indent + lead.length;
      return wrap(text, width - hang).map(
        (line, index) => " ".repeat(indent) + (index === 0 ? lead : " ".repeat(lead.length)) + paint(line),
      );
    },
    heading: (title, note = "") => palette.strong(title) + (note === "" ? "" : `  ${palette.faint(note)}`),
  };
}
