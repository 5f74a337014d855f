import type { MultipartPart } from "../capture-model.ts";
import type { PostParam } from "../capture.ts";
import { textValue } from "../value.ts";

/** What a `multipart/form-data` body of a recording has in it; null where it is none, or holds what no form writes. */
export function parseMultipart(text: string, boundary: string): MultipartPart[] | null {
  const [preamble, ...pieces] = `\r\n${text}`.split(`\r\n--${boundary}`);
  const end = pieces.pop();
  if (preamble !== "" || pieces.length === 0 || end === undefined || !/^--\s*$/.test(end)) return null;
  const parts = pieces.map(parsePart);
  return parts.includes(null) ? null : parts.filter((part) => part !== null);
}

/** The fields that a recorder took apart itself. */
export function partsOf(params: readonly PostParam[]): MultipartPart[] {
  return params.map(({ name, value, fileName, contentType }) => ({
    atom: { name, value: textValue(value), written: null },
    fileName,
    contentType,
  }));
}

/** The boundary that a Content-Type gives; null when it gives none. */
export function readBoundary(contentType: string): string | null {
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
