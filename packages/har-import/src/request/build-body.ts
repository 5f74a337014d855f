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
/** Bytes, even where they read as text by chance. */
const isMedia = /^\s*(?:image|audio|video|font)\//i;

/**
 * The body of a request, in its shape: from the text as recorded, else from the fields of its form. null when it has none.
 *
 * @param headerType The recorded Content-Type header, which wins over the body's own `mimeType`.
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

/** Chrome writes a body that is no UTF-8 with one character for each byte: as a text, other bytes would be sent. */
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
      return { kind: "multipart", boundary, parts: missing === 0 ? parts : parts.map(awaitFile) };
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

/** Fields as `application/x-www-form-urlencoded`. */
function encodeForm(params: readonly PostParam[]): string {
  return params.map(({ name, value }) => `${encodePart(name)}=${encodePart(value)}`).join("&");
}

/** Some recorders write fields decoded, others as sent. What has only whole escapes was sent so, and stays so. */
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

/** The fields that a recorder took apart itself. */
function partsOf(params: readonly PostParam[]): MultipartPart[] {
  return params.map(({ name, value, fileName, contentType }) => {
    // Chrome's word for the content of a file.
    const content = fileName !== null && value === "(binary)" ? "" : value;
    return awaitFile({ atom: { name, value: textValue(content), written: null }, fileName, contentType });
  });
}

/** A chosen file without content was not recorded: the test takes it from a path. */
function awaitFile(part: MultipartPart): MultipartPart {
  const isChosen = part.fileName !== null && part.fileName !== "";
  return isChosen && part.atom.value.length === 0 ? { ...part, file: "" } : part;
}

/** The boundary that a Content-Type gives; null when it gives none. */
function readBoundary(contentType: string): string | null {
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType);
  return match?.[1] ?? match?.[2] ?? null;
}

function parsePart(piece: string): MultipartPart | null {
  const blank = piece.indexOf("\r\n\r\n");
  if (!piece.startsWith("\r\n") || blank < 0) return null;
  const headers = new Map(piece.slice(2, blank).split("\r\n").map(parseHeader));
  const disposition = headers.get("content-disposition");
  const name = disposition === undefined ? null : readParameter(disposition, "name");
  if (disposition === undefined || name === null || !/^form-data\b/i.test(disposition)) return null;
  return {
    atom: { name, value: textValue(piece.slice(blank + 4)), written: null },
    fileName: readParameter(disposition, "filename"),
    contentType: headers.get("content-type") ?? null,
  };
}

function parseHeader(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, Math.max(colon, 0)).trim().toLowerCase(), line.slice(colon + 1).trim()];
}

/** As browsers escape it (HTML standard, multipart/form-data encoding). */
function readParameter(disposition: string, name: string): string | null {
  const match = new RegExp(`;\\s*${name}="([^"]*)"`, "i").exec(disposition);
  return match?.[1]?.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n") ?? null;
}
