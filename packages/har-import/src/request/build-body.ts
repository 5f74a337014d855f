import type { CapturedBody } from "../capture-model.ts";
import type { PostData } from "../capture.ts";
import { isBase64 } from "../read/is-base64.ts";
import { readBase64Text } from "../secrets/base64-text.ts";
import { textValue } from "../value.ts";
import { encodeForm } from "./encode-form.ts";
import { hasExactNumbers } from "./exact-numbers.ts";
import { parseJsonShape } from "./json-shape.ts";
import { parseMultipart, partsOf, readBoundary } from "./parse-multipart.ts";
import { parsePairs } from "./parse-pairs.ts";

export interface BodyToSend {
  readonly body: CapturedBody;
  readonly contentType: string;
}

const defaultType = "application/octet-stream";
const formType = "application/x-www-form-urlencoded";
const multipartType = "multipart/form-data";
/** Bytes, even where they read as text by chance. */
const isMedia = /^\s*(?:image|audio|video|font)\//i;

/**
 * The body of a request, in its shape: from the text as recorded, else from the fields of its form. null when it has none.
 *
 * @param headerType The recorded Content-Type header, which wins over the body's own `mimeType`.
 */
export function buildBody(postData: PostData | null, headerType: string | null): BodyToSend | null {
  if (postData === null) return null;
  const contentType = headerType ?? postData.mimeType;
  if (postData.text !== "") {
    const written = postData.text.toWellFormed();
    const isBytes = postData.isBase64 && isBase64(written);
    const text = isBytes ? (isMedia.test(contentType) ? null : readBase64Text(written)) : written;
    const body: CapturedBody =
      text === null ? { kind: "bytes", base64: written } : shapeText(text, contentType);
    return { body, contentType: contentType || defaultType };
  }
  if (postData.params.length === 0) return null;
  if (isOfType(contentType, multipartType)) {
    const boundary = readBoundary(contentType) ?? "";
    return { body: { kind: "multipart", boundary, parts: partsOf(postData.params) }, contentType };
  }
  const body: CapturedBody = { kind: "form", fields: parsePairs(encodeForm(postData.params)) };
  return { body, contentType: contentType || formType };
}

function shapeText(text: string, contentType: string): CapturedBody {
  if (isOfType(contentType, formType)) return { kind: "form", fields: parsePairs(text) };
  if (isOfType(contentType, multipartType)) {
    const boundary = readBoundary(contentType);
    const parts = boundary === null ? null : parseMultipart(text, boundary);
    if (boundary !== null && parts !== null) return { kind: "multipart", boundary, parts };
  }
  // Beacons send JSON as plain text, so that a browser asks nobody's leave.
  const root = /json|graphql|^text\/plain|^$/i.test(contentType) ? parseJsonShape(text) : null;
  if ((root?.kind === "object" || root?.kind === "list") && hasExactNumbers(text))
    return { kind: "json", root, written: text };
  return { kind: "text", text: { name: "", value: textValue(text), written: null } };
}

function isOfType(contentType: string, type: string): boolean {
  return contentType.toLowerCase().trimStart().startsWith(type);
}
