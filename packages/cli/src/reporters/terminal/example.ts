import { cut } from "@bearhug/sdk/internal";
import type { ErrorResult } from "@bearhug/sdk";

import type { Style } from "./style.ts";

export const exampleIndent = 9;
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
    ...renderFrame(frame ?? "", exampleIndent, style),
  ];
}

/** Lines of the test's source, safe to show; none for an empty frame. Not wrapped: a cut line still shows the place. */
export function renderFrame(frame: string, indent: number, style: Style): string[] {
  if (frame === "") return [];
  return frame.split(/\r?\n/).map((line) => {
    const safe = style.text(line.replaceAll("\t", "  "));
    return (" ".repeat(indent) + cut(safe, style.width - indent, style.symbols.ellipsis)).trimEnd();
  });
}
