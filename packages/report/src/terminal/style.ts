import { cut, printable, wrap } from "@bearhug/sdk/internal";
import { type Column, renderTable, type Row } from "@bearhug/text/table";
import { type Appearance, createPalette, type Palette } from "@bearhug/text/terminal";

import { asciiFigures, chooseSymbols, type Symbols } from "./symbols.ts";

/** Draws the sections of the summary on one terminal. */
export interface Style extends Palette {
  readonly width: number;
  readonly symbols: Symbols;
  /** Makes text from outside (target, capture, test) safe to show. All such text passes through here. */
  readonly text: (outside: string) => string;
  /** Lines of a section's table, indented below its heading. */
  readonly table: (columns: readonly Column[], rows: readonly Row[]) => string[];
  /** Lines of safe text that is wrapped where it must be. */
  readonly paragraph: (text: string, options?: ParagraphOptions) => string[];
  /** A paragraph of short pieces, broken between them and after their commas alone. `separator` is a dot if it is left out. */
  readonly pieces: (
    pieces: readonly string[],
    options?: ParagraphOptions & { separator?: string },
  ) => string[];
  readonly heading: (title: string, note?: string) => string;
}

export interface ParagraphOptions {
  /** Precedes the first line; the others are indented by its width. */
  readonly lead?: string;
  readonly indent?: number;
  /** Extra indent of the other lines. */
  readonly hang?: number;
  readonly paint?: (line: string) => string;
}

const sectionIndent = 2;
/** Stands for a space at which a line must not be broken. */
const unbroken = "\u00a0";

export function createStyle({ colors, width, unicode }: Appearance): Style {
  const palette = createPalette(colors);
  const symbols = chooseSymbols(unicode);
  const layout = { width, indent: sectionIndent, ellipsis: symbols.ellipsis, paintTitle: palette.faint };
  const paragraph: Style["paragraph"] = (text, options = {}) => {
    const { lead = "", indent = sectionIndent, hang = 0, paint = (line: string) => line } = options;
    return wrap(text, width - indent - lead.length - hang).map(
      (line, index) =>
        " ".repeat(indent) + (index === 0 ? lead : " ".repeat(lead.length + hang)) + paint(line),
    );
  };
  return {
    ...palette,
    width,
    symbols,
    // A CI runner takes a line that begins with "::" and a word for a command, and any word may begin a line.
    text: (outside) =>
      printable(unicode ? outside : asciiFigures(outside), { unicode }).replace(
        /(^|\s)::(?=[a-z])/gi,
        "$1:\\u{3a}",
      ),
    table: (columns, rows) => renderTable(columns, rows, layout),
    paragraph,
    pieces: (pieces, { separator = symbols.dot, ...options } = {}) =>
      paragraph(
        pieces.map((piece) => piece.replaceAll(/(?<!,) /g, unbroken)).join(`${unbroken}${separator} `),
        options,
      ).map((line) => line.replaceAll(unbroken, " ")),
    heading: (title, note = "") => {
      if (note === "") return palette.strong(title);
      return `${palette.strong(title)}  ${palette.faint(cut(note, width - title.length - 2, symbols.ellipsis))}`;
    },
  };
}
