import type { ErrorResult, TestResult } from "@bearhug/sdk";
import { cut } from "../../format/display-width.ts";
import { formatDuration } from "../../format/duration.ts";
import { formatCount } from "../../format/number.ts";
import { renderMore } from "./more.ts";
import type { Style } from "./style.ts";

const mostShown = 10;

/** What went wrong, the most frequent first, each with an example. */
export function renderErrors({ errors }: TestResult, style: Style): string[] {
  if (errors.length === 0) return [];
  const shown = errors.toSorted((a, b) => b.count - a.count).slice(0, mostShown);
  const columns = [
    { title: "count", align: "right" },
    { title: "first at", align: "right", keep: 1 },
    { title: "what", shrinks: true },
    { title: "where", shrinks: true },
  ] as const;
  const rows = shown.map((error) => [
    { text: formatCount(error.count), paint: style.bad },
    formatDuration(error.firstAtMs),
    style.text(
      error.cause === null || error.cause === error.code ? error.code : `${error.code} (${error.cause})`,
    ),
    style.text(error.name),
  ]);
  const [titles = "", ...lines] = style.table(columns, rows);
  return [
    style.heading("Errors"),
    titles,
    ...shown.flatMap((error, index) => [lines[index] ?? "", ...renderExample(error, style)]),
    ...renderMore(errors.length - mostShown, style),
  ];
}

const exampleIndent = 9;
/** Some targets answer with a page where a word would do. */
const mostMessageColumns = 300;

function renderExample({ message, source, frame }: ErrorResult, style: Style): string[] {
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
