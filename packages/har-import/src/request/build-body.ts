import { isBase64, readBase64Text } from "../base64.ts";
import type { CapturedBody, MultipartPart } from "../capture-model.ts";
import type { PostData, PostParam } from "../capture.ts";
import { hasExactNumbers, parseJsonShape } from "../json-shape.ts";
import { parsePairs } from "../parse-pairs.ts";
import { plural } from "../printable.ts";
import { textValue } from "../value.ts";
import type { Visit } from "../visit.ts";

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
  return params.map(({ name, value, fileName, contentType }) => ({
    atom: { name, value: textValue(value), written: null },
    fileName,
    contentType,
  }));
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

/** Length of a body that was sent and is not in the capture: recorders leave files out. 0 where nothing is missing. */
export function missingBytes({ entry }: Visit): number {
  const { method, postData, bodyBytes } = entry.request;
  const isRecorded = postData !== null && (postData.text !== "" || postData.params.length > 0);
  return isRecorded || /^(get|head)$/i.test(method) ? 0 : (bodyBytes ?? 0);
}

/** Returns the hint for a request whose body was not recorded. */
export function hintMissingBody(bytes: number): string {
  return `the request body, ${plural(bytes, "byte")}, was not recorded: add it by hand`;
}

/** A sentence about the requests whose bodies are missing, where there are any. */
export function noteMissingBodies(visits: readonly Visit[]): string[] {
  const count = visits.filter((visit) => missingBytes(visit) > 0).length;
  if (count === 0) return [];
  const [what, them] = count === 1 ? ["1 request body was", "it"] : [`${count} request bodies were`, "them"];
  return [`${what} not recorded, as is usual for uploads. Add ${them} by hand.`];
}

/** To search more for secrets takes seconds, and hundreds of megabytes. */
const maxSearchedCharacters = 8 * 2 ** 20;

/** Returns true for a body that is too large to be searched for secrets. It is not sent, because it may contain some. */
export function isWithheld(postData: PostData | null): boolean {
  return postData !== null && postData.text.length > maxSearchedCharacters;
}

/** Returns the hint for a request whose body is withheld. */
export function hintWithheldBody(): string {
  return "request body omitted: bodies over 8 MiB are not searched for secrets. Add it by hand";
}
