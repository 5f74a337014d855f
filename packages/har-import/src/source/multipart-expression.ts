import type { MultipartPart } from "../capture-model.ts";
import { knownText } from "../value.ts";
import { groupInOrder } from "./field-list.ts";
import { memberOf, objectOf, quoteText } from "./quote-text.ts";
import { type Operand, operandsOf, valueExpression } from "./value-expression.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The code of a function that reads a file once, not in each iteration. */
export const contentOf = `const files = new Map<string, Uint8Array>();

/** Content of the file at a path, read once; empty if the path is "". */
const contentOf = (path: string) => {
  const content = files.get(path) ?? (path === "" ? new Uint8Array() : readFileSync(path));
  files.set(path, content);
  return content;
};`;

/**
 * Writes a form with files as an object literal, or as pairs if an object would change their order; null if
 * the client would send something else for it, unless a file is to be read.
 */
export function multipartFields(parts: readonly MultipartPart[], vocabulary: Vocabulary): string | null {
  const isFaithful = parts.every(canBeWritten);
  if (!isFaithful && !parts.some(({ file }) => file !== undefined)) return null;
  const grouped = groupInOrder(parts, ({ atom }) => atom.name);
  if (grouped === null) {
    const pairs = parts.map((part) => `[${quoteText(part.atom.name)}, ${partExpression(part, vocabulary)}]`);
    return `[${pairs.join(", ")}]`;
  }
  return objectOf(
    grouped.map(([name, group]) => {
      const codes = group.map((part) => partExpression(part, vocabulary));
      return [name, codes.length === 1 ? (codes[0] ?? "") : `[${codes.join(", ")}]`] as const;
    }),
  );
}

/** Writes a form with files as the text that goes over the wire. */
export function multipartText(
  parts: readonly MultipartPart[],
  boundary: string,
  vocabulary: Vocabulary,
): Operand[] {
  const written = parts.flatMap(({ atom, fileName, contentType }): Operand[] => {
    const file = fileName === null ? "" : `; filename="${escapeQuoted(fileName)}"`;
    const type = contentType === null ? "" : `\r\nContent-Type: ${contentType.replace(/[\r\n]+/g, " ")}`;
    const name = escapeQuoted(atom.name);
    return [
      { text: `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}${type}\r\n\r\n` },
      ...operandsOf(atom.value, vocabulary),
      { text: "\r\n" },
    ];
  });
  return [...written, { text: `--${boundary}--\r\n` }];
}

/** Returns a boundary that occurs in no part; the same for the same parts. */
export function chooseBoundary(parts: readonly MultipartPart[]): string {
  const texts = parts.map(({ atom }) => knownText(atom.value) ?? "");
  let boundary = "----bearhug";
  for (let attempt = 1; texts.some((text) => text.includes(boundary)); attempt++) {
    boundary = `----bearhug-${attempt}`;
  }
  return boundary;
}

/**
 * Returns true if the client sends a part unchanged: it writes a lone line end in a name as two characters,
 * and a type must be visible ASCII.
 */
function canBeWritten({ atom, contentType }: MultipartPart): boolean {
  if (hasLoneLineEnd(atom.name)) return false;
  return contentType === null || isVisible(contentType);
}

function isVisible(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text);
}

/** Writes a typed field as a text, as long as the client would not change its line ends. */
function partExpression(part: MultipartPart, vocabulary: Vocabulary): string {
  const { atom, fileName, contentType, file } = part;
  const content =
    file === undefined ? valueExpression(atom.value, vocabulary) : `contentOf(${memberOf("env", file)})`;
  const isField = fileName === null && contentType === null && !hasLoneLineEnd(knownText(atom.value) ?? "");
  if (isField) return content;
  return objectOf([
    ["content", content],
    ...(fileName === null ? [] : [["filename", quoteText(fileName)] as const]),
    ...(contentType === null || !isVisible(contentType) ? [] : [["type", quoteText(contentType)] as const]),
  ]);
}

function hasLoneLineEnd(text: string): boolean {
  return /(^|[^\r])\n|\r(?!\n)/.test(text);
}

/** Escapes a name as browsers do (HTML standard, multipart/form-data encoding). */
function escapeQuoted(text: string): string {
  return text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
