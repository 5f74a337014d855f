import { cut, unbroken, wrap } from "@bearhug/text/display-width";
import { printable } from "@bearhug/text/printable";
import { type Column, renderTable, type Row } from "@bearhug/text/table";
import { type Appearance, createPalette, type Palette } from "@bearhug/text/terminal";

import { toAsciiFigures, chooseSymbols, type Symbols } from "./symbols.ts";

/** Formats the sections of the summary for one terminal. */
export interface Style extends Palette {
  readonly width: number;
  readonly symbols: Symbols;
  /**
   * Makes external text (from the target, a capture or the test) safe to display. All such text passes
   * through here.
   */
  readonly text: (external: string) => string;
  /** Returns the lines of a section's table, indented below its heading. */
  readonly table: (columns: readonly Column[], rows: readonly Row[]) => string[];
  /** Returns lines of safe text, wrapped to the width. */
  readonly paragraph: (text: string, options?: ParagraphOptions) => string[];
  /**
   * Returns a paragraph of short pieces, wrapped only between them and after their commas. `separator` is a
   * dot by default.
   */
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
    // A CI runner executes a line that begins with "::" and a word, and wrapping may put any word at the
    // start of a line.
    text: (external) =>
      printable(unicode ? external : toAsciiFigures(external), { unicode }).replace(
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
