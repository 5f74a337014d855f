import type { ComparisonResult } from "@bearhug/sdk/result";
import { oneOf } from "@bearhug/text/closest-name";
import { printableJson } from "@bearhug/text/printable";

import { createFileWriter, whyPathUnusable } from "../write-report.ts";
import { renderComparisonMarkdown } from "./render-markdown.ts";

type Render = (comparison: ComparisonResult) => string | Promise<string>;

const kinds: Readonly<Record<string, { readonly path: string; readonly render: Render }>> = {
  json: { path: "comparison.json", render: (comparison) => `${printableJson(comparison, 2)}\n` },
  html: {
    path: "comparison.html",
    render: async (comparison) => (await import("../html/render-html.ts")).renderComparisonHtml(comparison),
  },
  markdown: { path: "comparison.md", render: renderComparisonMarkdown },
};

/** The reports of a comparison, as text for help. */
export const comparisonReports: string = oneOf(Object.keys(kinds));

/** A file that a comparison is written to. */
export interface ComparisonOutput {
  readonly path: string;
  /** @throws {ReportNotWritten} */
  readonly write: (comparison: ComparisonResult) => Promise<void>;
}

/**
 * Opens the files that `--out KIND[=PATH]` requests; adds a sentence to `problems` for each that cannot be
 * used.
 */
export function openComparisonOutputs(
  outs: readonly string[],
  inputs: readonly string[],
  problems: string[],
): ComparisonOutput[] {
  return outs.flatMap((text, at) => {
    const [, kind = "", given] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
    const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (known === undefined) {
      problems.push(`--out ${text}: a comparison has no report "${kind}". Use ${knownKinds()}.`);
      return [];
    }
    const path = given ?? known.path;
    const why =
      path === ""
        ? `the path after = is empty. Write --out ${kind}=PATH.`
        : whyPathUnusable(path, [...inputs, ...outs.slice(0, at).map(pathOf)]);
    if (why !== null) problems.push(`--out ${text}: ${why}`);
    return [{ path, write: createFileWriter(kind, path, known.render) }];
  });
}

function knownKinds(): string {
  return new Intl.ListFormat("en", { type: "disjunction" }).format(Object.keys(kinds));
}

function pathOf(text: string): string {
  return text.includes("=") ? text.slice(text.indexOf("=") + 1) : (kinds[text]?.path ?? "");
}
