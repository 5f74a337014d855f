import { tryJson } from "@bearhug/text/try-json";

import type { CapturedBody, CapturedRequest, JsonShape, MultipartPart } from "../capture-model.ts";
import { knownJson } from "../json-shape.ts";
import { knownText, textOf } from "../value.ts";
import {
  encodedFields,
  fieldsObject,
  isAsWritten,
  joinOperands,
  valueExpression,
  type Operand,
  operandsOf,
} from "./value-expression.ts";
import {
  listOf,
  memberOf,
  type NamedCode,
  objectInOrder,
  objectOf,
  pairsOf,
  quoteText,
} from "./quote-text.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Code for the body of a request. */
export interface BodyCode {
  readonly option: readonly [name: "json" | "form" | "multipart" | "body", code: string];
  /** The content type to send as a header, because the client would send another or none; null if none is needed. */
  readonly contentType: string | null;
}

/** Writes the body of a request in the most readable of the forms that send the same bytes. */
export function writeBody(request: CapturedRequest, vocabulary: Vocabulary): BodyCode | null {
  const { body } = request;
  if (body === null) return null;
  const recorded = contentTypeOf(request);
  switch (body.kind) {
    case "json":
      return writeJson(body, recorded, vocabulary);
    case "form":
      return writeForm(body.fields, recorded, vocabulary);
    case "multipart":
      return writeMultipart(body, recorded, vocabulary);
    case "text":
      return { option: ["body", valueExpression(body.text.value, vocabulary)], contentType: recorded };
    case "bytes":
      return {
        option: ["body", `fromBase64(${quoteText(plainBase64(body.base64))})`],
        contentType: recorded,
      };
  }
}

function contentTypeOf({ headers }: CapturedRequest): string | null {
  const header = headers.find(({ name }) => name.toLowerCase() === "content-type");
  return header === undefined ? null : knownText(header.value);
}

/** Removes line breaks, and converts the alphabet for URLs, which some recorders write. */
function plainBase64(base64: string): string {
  return base64.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/");
}

function writeJson(
  { root, written }: CapturedBody & { readonly kind: "json" },
  recorded: string | null,
  vocabulary: Vocabulary,
): BodyCode {
  const text = knownJson(root);
  // If a value has changed, the recorded text is out of date and has what must not be revealed.
  const isAsRecorded = text !== null && text === JSON.stringify(tryJson(written));
  if (isAsRecorded && text !== written) {
    return { option: ["body", quoteText(written)], contentType: recorded };
  }
  const contentType = recorded === "application/json" ? null : recorded;
  return { option: ["json", jsonExpression(root, vocabulary)], contentType };
}

function writeForm(
  fields: (CapturedBody & { readonly kind: "form" })["fields"],
  recorded: string | null,
  vocabulary: Vocabulary,
): BodyCode {
  const form = fieldsObject(fields, vocabulary);
  if (form !== null) {
    const isUsual = recorded === "application/x-www-form-urlencoded";
    return { option: ["form", form], contentType: isUsual ? null : recorded };
  }
  const text = fields.every(isAsWritten)
    ? quoteText(fields.map(({ written }) => written).join("&"))
    : joinOperands(encodedFields(fields, vocabulary));
  return { option: ["body", text], contentType: recorded };
}

function writeMultipart(
  { parts, boundary }: CapturedBody & { readonly kind: "multipart" },
  recorded: string | null,
  vocabulary: Vocabulary,
): BodyCode {
  const multipart = /^multipart\/form-data\b/i.test(recorded ?? "")
    ? multipartFields(parts, vocabulary)
    : null;
  if (multipart !== null) return { option: ["multipart", multipart], contentType: null };
  const chosen = boundary === "" ? chooseBoundary(parts) : boundary;
  const text = joinOperands(multipartText(parts, chosen, vocabulary));
  const contentType = boundary === "" ? `multipart/form-data; boundary=${chosen}` : recorded;
  return { option: ["body", text], contentType };
}

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Writes code for a JSON value. Texts that repeat have names. */
function jsonExpression(shape: JsonShape, vocabulary: Vocabulary): string {
  switch (shape.kind) {
    case "literal":
      return String(shape.value);
    case "string": {
      const text = knownText(shape.atom.value);
      return (
        (text === null ? undefined : vocabulary.texts.get(text)) ??
        valueExpression(shape.atom.value, vocabulary)
      );
    }
    case "number":
      return numberExpression(shape.atom.value, vocabulary);
    case "list":
      return listOf(shape.items.map((item) => jsonExpression(item, vocabulary)));
    case "object":
      return objectOf(shape.fields.map(([key, value]) => [key, jsonExpression(value, vocabulary)] as const));
  }
}

function numberExpression(value: Parameters<typeof knownText>[0], vocabulary: Vocabulary): string {
  const text = knownText(value);
  if (text === null) return `Number(${valueExpression(value, vocabulary)})`;
  return jsonNumber.test(text) ? text : quoteText(text);
}

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
function multipartFields(parts: readonly MultipartPart[], vocabulary: Vocabulary): string | null {
  const isFaithful = parts.every(canBeWritten);
  if (!isFaithful && !parts.some(({ file }) => file !== undefined)) return null;
  const named = parts.map((part): NamedCode => [part.atom.name, partExpression(part, vocabulary)]);
  return objectInOrder(named) ?? pairsOf(named);
}

/** Writes a form with files as the text that goes over the wire. */
function multipartText(parts: readonly MultipartPart[], boundary: string, vocabulary: Vocabulary): Operand[] {
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
function chooseBoundary(parts: readonly MultipartPart[]): string {
  const texts = parts.map(({ atom }) => textOf(atom));
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
