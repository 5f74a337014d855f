import { isBase64, readBase64Text } from "../base64.ts";
import type { CapturedBody, MultipartPart } from "../capture-model.ts";
import type { EntryRequest, PostParam } from "../capture.ts";
import { hasExactNumbers, parseJsonShape } from "../json-shape.ts";
import { parsePairs } from "../parse-pairs.ts";
import { textValue } from "../value.ts";
import { missingBytes } from "../missing-body.ts";

interface BodyToSend {
  readonly body: CapturedBody;
  readonly contentType: string;
}

const defaultType = "application/octet-stream";
const formType = "application/x-www-form-urlencoded";
const multipartType = "multipart/form-data";
/** Types whose bodies are bytes, even if they happen to decode as text. */
const isMedia = /^\s*(?:image|audio|video|font)\//i;

/**
 * Builds the body of a request from the recorded text or, if there is none, from the fields of its form. null
 * if it has neither.
 *
 * @param headerType The recorded Content-Type header, which takes precedence over the body's own `mimeType`.
 */
export function buildBody(request: EntryRequest, headerType: string | null): BodyToSend | null {
  const { postData } = request;
  if (postData === null) return null;
  const contentType = headerType ?? postData.mimeType;
  if (postData.text !== "") {
    const written = postData.text.toWellFormed();
    const isBytes = postData.isBase64 && isBase64(written);
    const text = isBytes ? (isMedia.test(contentType) ? null : readBase64Text(written)) : written;
    if (text === null)
      return { body: { kind: "bytes", base64: written }, contentType: contentType || defaultType };
    const shaped = shapeText(text, contentType, missingBytes(request));
    const isBinary = shaped.kind === "text" && !isBytes && hasByteForEachCharacter(text, request.bodyBytes);
    const body: CapturedBody = isBinary ? { kind: "bytes", base64: btoa(text) } : shaped;
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

/** Control characters, which no text has. */
const control = /(?!\s)\p{Cc}/u;

/**
 * Returns true if each character stands for a byte, as Chrome records a body that is not UTF-8. Sent as
 * text, its bytes would change.
 */
function hasByteForEachCharacter(text: string, bodyBytes: number | null): boolean {
  if (/[^\p{ASCII}\x80-\xff]/u.test(text) || !/[\x80-\xff]/.test(text)) return false;
  return bodyBytes === text.length || control.test(text);
}

function shapeText(text: string, contentType: string, missing: number): CapturedBody {
  if (isOfType(contentType, formType)) return { kind: "form", fields: parsePairs(text) };
  if (isOfType(contentType, multipartType)) {
    const boundary = readBoundary(contentType);
    const parts = boundary === null ? null : parseMultipart(text, boundary);
    if (boundary !== null && parts !== null)
      return { kind: "multipart", boundary, parts: missing === 0 ? parts : parts.map(markMissingFile) };
  }
  // Beacons send JSON as plain text to avoid a CORS preflight.
  const root = /json|graphql|^text\/plain|^$/i.test(contentType) ? parseJsonShape(text) : null;
  if ((root?.kind === "object" || root?.kind === "list") && hasExactNumbers(text))
    return { kind: "json", root, written: text };
  return { kind: "text", text: { name: "", value: textValue(text), written: null } };
}

function isOfType(contentType: string, type: string): boolean {
  return contentType.toLowerCase().trimStart().startsWith(type);
}

/** Encodes fields as `application/x-www-form-urlencoded`. */
function encodeForm(params: readonly PostParam[]): string {
  return params.map(({ name, value }) => `${encodePart(name)}=${encodePart(value)}`).join("&");
}

/**
 * Encodes a name or value. Some recorders write fields decoded, others as sent: a text with only valid
 * escapes is kept as it is.
 */
function encodePart(part: string): string {
  const isEncoded = part.includes("%") && !/%(?![\dA-Fa-f]{2})/.test(part);
  const wellFormed = part.toWellFormed();
  if (isEncoded) return wellFormed.replace(/[^\w.*+%-]+/g, encodeURIComponent);
  return encodeURIComponent(wellFormed)
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
}

/** Parses a recorded `multipart/form-data` body; null if it is not one, or has parts that no form writes. */
function parseMultipart(text: string, boundary: string): MultipartPart[] | null {
  const [preamble, ...pieces] = `\r\n${text}`.split(`\r\n--${boundary}`);
  const end = pieces.pop();
  if (preamble !== "" || pieces.length === 0 || end === undefined || !/^--\s*$/.test(end)) return null;
  const parts = pieces.map(parsePart);
  return parts.includes(null) ? null : parts.filter((part) => part !== null);
}

/** Returns the fields that a recorder parsed itself. */
function partsOf(params: readonly PostParam[]): MultipartPart[] {
  return params.map(({ name, value, fileName, contentType }) => {
    // Chrome's placeholder for the content of a file.
    const content = fileName !== null && value === "(binary)" ? "" : value;
    return markMissingFile({
      atom: { name, value: textValue(content), written: null },
      fileName,
      contentType,
    });
  });
}

/** Marks a chosen file without content, which was not recorded: the test reads it from a path. */
function markMissingFile(part: MultipartPart): MultipartPart {
  const isChosen = part.fileName !== null && part.fileName !== "";
  return isChosen && part.atom.value.length === 0 ? { ...part, file: "" } : part;
}

/** Returns the boundary of a Content-Type; null if it has none. */
function readBoundary(contentType: string): string | null {
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType);
  return match?.[1] ?? match?.[2] ?? null;
}

function parsePart(piece: string): MultipartPart | null {
  const blank = piece.indexOf("\r\n\r\n");
  if (!piece.startsWith("\r\n") || blank < 0) return null;
  const headers = new Map(piece.slice(2, blank).split("\r\n").map(parseHeader));
  const disposition = headers.get("content-disposition");
  const parameters = disposition === undefined ? null : readParameters(disposition);
  const name = parameters?.get("name");
  if (parameters === null || name === undefined) return null;
  return {
    atom: { name, value: textValue(piece.slice(blank + 4)), written: null },
    fileName: parameters.get("filename") ?? null,
    contentType: headers.get("content-type") ?? null,
  };
}

function parseHeader(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, Math.max(colon, 0)).trim().toLowerCase(), line.slice(colon + 1).trim()];
}

/**
 * Reads the quoted parameters of a field of a form; null if it is none. They are escaped as browsers do it
 * (HTML standard, multipart/form-data encoding), or with backslashes. A quote ends a parameter only where
 * another one begins, or at the end.
 */
function readParameters(disposition: string): ReadonlyMap<string, string> | null {
  const [type = "", ...parameters] = disposition.split(/(?<=^form-data\s*|"\s*);\s*(?=[\w*-]+=)/i);
  if (!/^form-data\s*$/i.test(type)) return null;
  return new Map(
    parameters.flatMap((parameter) => {
      const [, name = "", value] = /^([^=]+)="([^]*)"\s*$/.exec(parameter) ?? [];
      return value === undefined ? [] : [[name.toLowerCase(), unescapeQuoted(value)] as const];
    }),
  );
}

function unescapeQuoted(value: string): string {
  return value
    .replaceAll(/%22|\\"/g, '"')
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n");
}
