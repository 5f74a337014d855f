import type { ErrorExplanation } from "../../src/http-errors/error-explanation.ts";

/** A section of the page: codes that belong together. */
export interface ErrorGroup {
  readonly title: string;
  /** The introduction of the section; empty if the title is enough. */
  readonly words: string;
  readonly errors: Readonly<Record<string, ErrorExplanation>>;
}

const whose: Readonly<Record<ErrorExplanation["whose"], string>> = {
  target: "The target",
  network: "The network",
  generator: "The load generator",
  test: "The test",
  proxy: "The proxy",
};

const processed: Readonly<Record<ErrorExplanation["processed"], string>> = {
  no: "No; it is safe to retry.",
  maybe: "Possibly.",
  yes: "Yes.",
};

/** Returns docs/errors.md, formatted like other pages: an index of all codes, then a section for each. */
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
      `- **Likely owner.** ${whose[error.whose]}.`,
      `- **Could the target have processed the request?** ${processed[error.processed]}`,
    ].join("\n"),
  ];
}

/** Returns the anchor that GitHub gives to a heading. */
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
