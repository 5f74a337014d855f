import type { CapturedBody, CapturedRequest, JsonShape } from "../capture-model.ts";
import { knownJson } from "../json-shape.ts";
import { knownText } from "../value.ts";
import { encodedFields, fieldsObject, isAsWritten } from "./field-list.ts";
import { chooseBoundary, multipartFields, multipartText } from "./multipart-expression.ts";
import { objectOf, quoteText } from "./quote-text.ts";
import { joinOperands, valueExpression } from "./value-expression.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Code for the body of a request. */
export interface BodyCode {
  readonly option: readonly [name: "json" | "form" | "multipart" | "body", code: string];
  /** The content type to send as a header, because the client would send another or none; null if none is needed. */
  readonly contentType: string | null;
}

/** Writes the body of a request in the most readable of the forms that send the same bytes. */
export function writeBody(
  request: CapturedRequest,
  vocabulary: Vocabulary,
  constants: ReadonlyMap<string, string>,
): BodyCode | null {
  const { body } = request;
  if (body === null) return null;
  const recorded = contentTypeOf(request);
  switch (body.kind) {
    case "json":
      return writeJson(body, recorded, vocabulary, constants);
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
  constants: ReadonlyMap<string, string>,
): BodyCode {
  const text = knownJson(root);
  // If a value has changed, the recorded text is out of date and has what must not be revealed.
  const isAsRecorded = text !== null && text === asClientWrites(written);
  if (isAsRecorded && text !== written) {
    return { option: ["body", quoteText(written)], contentType: recorded };
  }
  const contentType = recorded === "application/json" ? null : recorded;
  return { option: ["json", jsonExpression(root, vocabulary, constants)], contentType };
}

function asClientWrites(json: string): string | null {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return null;
  }
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

/** Writes code for a JSON value. `constants` has the names of texts that repeat. */
function jsonExpression(
  shape: JsonShape,
  vocabulary: Vocabulary,
  constants: ReadonlyMap<string, string>,
): string {
  switch (shape.kind) {
    case "literal":
      return String(shape.value);
    case "string": {
      const text = knownText(shape.atom.value);
      return (
        (text === null ? undefined : constants.get(text)) ?? valueExpression(shape.atom.value, vocabulary)
      );
    }
    case "number":
      return numberExpression(shape.atom.value, vocabulary);
    case "list":
      return `[${shape.items.map((item) => jsonExpression(item, vocabulary, constants)).join(", ")}]`;
    case "object":
      return objectOf(
        shape.fields.map(([key, value]) => [key, jsonExpression(value, vocabulary, constants)] as const),
      );
  }
}

function numberExpression(value: Parameters<typeof knownText>[0], vocabulary: Vocabulary): string {
  const text = knownText(value);
  if (text === null) return `Number(${valueExpression(value, vocabulary)})`;
  return jsonNumber.test(text) ? text : quoteText(text);
}
