import { cut } from "@bearhug/text/display-width";

import type { Details } from "../model/table.ts";
import type { Style } from "./style.ts";

export const exampleIndent = 9;
/** Some targets respond with a whole page instead of a short message. */
const mostMessageColumns = 300;

/** Renders an exception or failure below its row: its message, where it was thrown, the code around it. */
export function renderExample(details: Details | undefined, style: Style): string[] {
  if (details === undefined) return [];
  const { sentences, place, frame = "" } = details;
  const message = cut(style.text(sentences.join(" ")), mostMessageColumns, style.symbols.ellipsis);
  return [
    ...style.paragraph(place === null ? message : `${message} at ${style.text(place)}`, {
      indent: exampleIndent,
      paint: style.faint,
    }),
    ...renderFrame(frame, exampleIndent, style),
  ];
}

/**
 * Renders lines of the test's source, safe to display; none for an empty frame. Not wrapped: a cut line still
 * shows the place.
 */
export function renderFrame(frame: string, indent: number, style: Style): string[] {
  if (frame === "") return [];
  return frame.split(/\r?\n/).map((line) => {
    const safe = style.text(line.replaceAll("\t", "  "));
    return (" ".repeat(indent) + cut(safe, style.width - indent, style.symbols.ellipsis)).trimEnd();
  });
}
