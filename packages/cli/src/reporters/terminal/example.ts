import type { ErrorResult } from "@bearhug/sdk";

import { cut } from "../../format/display-width.ts";
import type { Style } from "./style.ts";

const exampleIndent = 9;
/** Some targets answer with a page where a word would do. */
const mostMessageColumns = 300;

type Example = Pick<ErrorResult, "message" | "source" | "frame">;

/** An exception or failure, below the line that it belongs to: its message, where it was thrown, the code around it. */
export function renderExample({ message, source, frame }: Example, style: Style): string[] {
  const place = source ? ` at ${style.text(source.file)}:${source.line}:${source.column}` : "";
  return [
    ...style.paragraph(cut(style.text(message), mostMessageColumns, style.symbols.ellipsis) + place, {
      indent: exampleIndent,
      paint: style.faint,
    }),
    ...(frame ? frame.split(/\r?\n/).map((line) => renderFrameLine(line, style)) : []),
  ];
}

/** Source is not wrapped: a cut line still shows the place, a wrapped one hides it. */
function renderFrameLine(line: string, style: Style): string {
  const safe = style.text(line.replaceAll("\t", "  "));
  return (
    " ".repeat(exampleIndent) + cut(safe, style.width - exampleIndent, style.symbols.ellipsis)
  ).trimEnd();
}
