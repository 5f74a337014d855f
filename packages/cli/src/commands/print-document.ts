import type { Writable } from "node:stream";

import { printableJson } from "@bearhug/text/printable";
import { createTextOutput, firstWriteError } from "@bearhug/text/text-output";
import { version } from "@bearhug/text/version";

import type { OwnDocument } from "../documents/documents.ts";

/** A document without the field that is the same in all. */
type Content<Document> = Document extends OwnDocument ? Omit<Document, "tool"> : never;

/** Prints a document alone on stdout, for `--json`. */
export async function printDocument(content: Content<OwnDocument>): Promise<void> {
  await printText(process.stdout, `${writeDocument(content)}\n`);
}

/**
 * Prints text. A write error, as on a full disk, is ignored here: `leave` reports it when the process ends,
 * unless the command failed anyway.
 */
export async function printText(stream: Writable, text: string): Promise<void> {
  try {
    await createTextOutput(stream).write(text);
  } catch (error) {
    if (firstWriteError(stream) === null) throw error;
  }
}

export function writeDocument({ schema, ...content }: Content<OwnDocument>): string {
  return printableJson({ schema, tool: { name: "bearhug", version }, ...content }, 2);
}
