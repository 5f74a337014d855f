import type { ErrorExplanation } from "../../src/index.ts";

/** Some codes that belong together. */
export interface ErrorGroup {
  readonly title: string;
  /** What they have in common; empty where the title says it. */
  readonly words: string;
  readonly errors: Readonly<Record<string, ErrorExplanation>>;
}

const whose: Readonly<Record<ErrorExplanation["whose"], string>> = {
  target: "the target",
  network: "the network",
  generator: "the load generator",
  test: "the test",
  proxy: "the proxy",
};

const processed: Readonly<Record<ErrorExplanation["processed"], string>> = {
  no: "No: it is safe to repeat.",
  maybe: "Perhaps.",
  yes: "Yes.",
};

/** docs/errors.md, as prettier would write it: an index of all codes, then a section for each. */
export function renderErrorsPage(introduction: readonly string[], groups: readonly ErrorGroup[]): string {
  const rows = groups.flatMap(({ errors }) =>
    Object.entries(errors).map(([code, { summary }]) => [`[\`${code}\`](#${anchorOf(code)})`, summary]),
  );
  const sections = groups.flatMap(({ title, words, errors }) => [
    `## ${title}`,
    ...(words === "" ? [] : [words]),
    ...Object.entries(errors).flatMap(([code, explanation]) => renderError(code, explanation)),
  ]);
  return `${["# Errors", ...introduction, renderTable(["code", "what happened"], rows), ...sections].join("\n\n")}\n`;
}

function renderError(code: string, error: ErrorExplanation): string[] {
  return [
    `### \`${code}\``,
    error.summary,
    [
      `- **Usual causes.** ${error.cause}`,
      `- **What to do.** ${error.remedy}`,
      `- **Who has to change.** Most likely ${whose[error.whose]}.`,
      `- **May the request have been processed?** ${processed[error.processed]}`,
    ].join("\n"),
  ];
}

/** As GitHub makes anchors of headings. */
function anchorOf(code: string): string {
  return code.toLowerCase().replaceAll(/[^\w-]/g, "");
}

function renderTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[], filler = " "): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, filler)).join(" | ")} |`;
  return [
    line(titles),
    line(
      titles.map(() => ""),
      "-",
    ),
    ...rows.map((row) => line(row)),
  ].join("\n");
}
