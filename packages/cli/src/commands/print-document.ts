import { printableJson } from "@bearhug/sdk/internal";
import { createTextOutput } from "@bearhug/text/text-output";
import { version } from "@bearhug/text/version";

import type { OwnDocument } from "../documents/documents.ts";

/** Leaves out what is the same in every document. */
type Content<Document> = Document extends OwnDocument ? Omit<Document, "tool"> : never;

/** Prints a document alone on stdout, for `--json`. */
export async function printDocument(content: Content<OwnDocument>): Promise<void> {
  await createTextOutput(process.stdout).write(`${writeDocument(content)}\n`);
}

export function writeDocument({ schema, ...content }: Content<OwnDocument>): string {
  return printableJson({ schema, tool: { name: "bearhug", version }, ...content }, 2);
}
