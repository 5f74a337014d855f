import { accessSync, constants, createReadStream, statSync } from "node:fs";
import { basename, resolve } from "node:path";

import type { RandomSource } from "@bearhug/plan/pacing/random-source";
import type { MultipartFields, MultipartValue, MultipartContent, MultipartFile } from "@bearhug/sdk";

import { pairsOf } from "./pairs.ts";
import type { StreamedBody } from "../transport/wire-body.ts";
import { RequestFault } from "./request-fault.ts";
import { blobBody, exactly, streamBody } from "./streamed-body.ts";

export interface MultipartBody {
  /** In memory, unless a part is a file or a stream. */
  readonly body: Uint8Array | StreamedBody;
  readonly contentType: string;
}

/**
 * Encodes a form with files (RFC 7578, in the form that browsers use). Paths are relative to `folder`.
 * @throws {RequestFault} for a value that cannot be a part, and for a file that cannot be read.
 */
export function encodeMultipart(
  fields: MultipartFields,
  random: RandomSource,
  folder: string = process.cwd(),
): MultipartBody {
  const boundary = chooseBoundary(random);
  const parts = [...pairsOf<MultipartValue | readonly MultipartValue[]>(fields)].flatMap(([name, value]) =>
    valuesOf(value).flatMap((one) => (one === undefined ? [] : [createPart(name, one, folder)])),
  );
  const pieces = frame(parts, boundary);
  const [only] = pieces;
  const isInMemory = pieces.length === 1 && only instanceof Uint8Array;
  return {
    body: isInMemory ? only : joinPieces(pieces),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

/** Returns a boundary with 128 random bits, which no content contains by chance. */
function chooseBoundary(random: RandomSource): string {
  const word = (): string =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return `----bearhug${word()}${word()}${word()}${word()}`;
}

function valuesOf(value: MultipartValue | readonly MultipartValue[]): readonly MultipartValue[] {
  return Array.isArray(value) ? (value as readonly MultipartValue[]) : [value as MultipartValue];
}

/** Returns the pieces to write, in order. All bytes in memory between two streams are one piece. */
function frame(parts: readonly Part[], boundary: string): (Uint8Array | StreamedBody)[] {
  const pieces: (Uint8Array | StreamedBody)[] = [];
  let inMemory: Uint8Array[] = [];
  for (const { head, content } of parts) {
    inMemory.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`));
    if (content instanceof Uint8Array) inMemory.push(content);
    else {
      pieces.push(Buffer.concat(inMemory), content);
      inMemory = [];
    }
    inMemory.push(lineEnd);
  }
  inMemory.push(Buffer.from(`--${boundary}--\r\n`));
  pieces.push(Buffer.concat(inMemory));
  return pieces;
}

const lineEnd = Buffer.from("\r\n");

function joinPieces(pieces: readonly (Uint8Array | StreamedBody)[]): StreamedBody {
  return {
    length: pieces.reduce<number | null>(
      (sum, { length }) => (sum === null || length === null ? null : sum + length),
      0,
    ),
    isRepeatable: pieces.every((piece) => piece instanceof Uint8Array || piece.isRepeatable),
    open: () => readPieces(pieces),
    abandon: () => {
      for (const piece of pieces) if (!(piece instanceof Uint8Array)) piece.abandon?.();
    },
  };
}

async function* readPieces(pieces: readonly (Uint8Array | StreamedBody)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) yield piece;
    else yield* piece.open();
  }
}

/** A part of a multipart body. */
interface Part {
  /** Its headers, without the empty line after them. */
  readonly head: string;
  readonly content: Uint8Array | StreamedBody;
}

const binaryType = "application/octet-stream";
/** The name that browsers give a file without one. Without a name, servers take the bytes for a text field. */
const namelessFile = "blob";

/**
 * Creates a part. Paths are relative to `folder`.
 * @throws {RequestFault} for an invalid value or unreadable file
 */
function createPart(name: string, value: Exclude<MultipartValue, undefined>, folder: string): Part {
  if (typeof value === "object") {
    if (value instanceof Uint8Array) return describePart(name, namelessFile, binaryType, value);
    if (value instanceof Blob) return contentPart(name, { content: value });
    if (isFile(value)) return filePart(name, value, folder);
    if (isContent(value)) return contentPart(name, value);
  } else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    // Line breaks are normalized like those of a text field (HTML standard, "constructing the entry list").
    return describePart(name, null, null, Buffer.from(String(value).replace(/\r\n|\r|\n/g, "\r\n")));
  }
  throw fault(name, "must be a string, a number, a boolean, a Uint8Array, a Blob, { file } or { content }");
}

function isFile(value: object | null): value is MultipartFile {
  return value !== null && "file" in value && typeof value.file === "string" && !("content" in value);
}

function isContent(value: object | null): value is MultipartContent {
  return value !== null && "content" in value && !("file" in value);
}

function filePart(
  name: string,
  { file: given, filename = basename(given), type = binaryType }: MultipartFile,
  folder: string,
): Part {
  const file = resolve(folder, given);
  const length = readableBytes(name, file);
  return describePart(name, filename, type, {
    length,
    isRepeatable: true,
    open: () => readFile(file, length),
  });
}

function readableBytes(name: string, file: string): number {
  try {
    const stats = statSync(file);
    accessSync(file, constants.R_OK);
    if (stats.isFile()) return stats.size;
  } catch (error) {
    throw fault(name, `is the file ${JSON.stringify(file)}, which can't be read (${reasonOf(error)})`);
  }
  throw fault(name, `is ${JSON.stringify(file)}, which is not a file`);
}

async function* readFile(file: string, length: number): AsyncGenerator<Uint8Array> {
  const what = `the file ${JSON.stringify(file)}`;
  yield* exactly(createReadStream(file), length, what);
}

function contentPart(name: string, { content, filename, type, length }: MultipartContent): Part {
  if (length !== undefined && !(Number.isSafeInteger(length) && length >= 0)) {
    throw fault(name, "has a length that is not a number of bytes");
  }
  if (typeof content === "string") {
    return ofLength(describePart(name, filename ?? null, type ?? null, Buffer.from(content)), name, length);
  }
  if (content instanceof Blob) {
    const part = describePart(
      name,
      filename ?? (content instanceof File ? content.name : namelessFile),
      type ?? (content.type === "" ? binaryType : content.type),
      blobBody(content, `the part ${JSON.stringify(name)}`),
    );
    return ofLength(part, name, length);
  }
  const isBytes = content instanceof Uint8Array;
  if (!isBytes && !isStream(content))
    throw fault(name, "has content that is not a string, bytes, a Blob or a stream of them");
  const bytes = isBytes ? content : streamBody(content, length ?? null, `the part ${JSON.stringify(name)}`);
  return ofLength(describePart(name, filename ?? namelessFile, type ?? binaryType, bytes), name, length);
}

/** Returns true for a value that can be read as a stream. Its pieces are validated when they are read. */
export function isStream(value: unknown): value is AsyncIterable<Uint8Array> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function ofLength(part: Part, name: string, length: number | undefined): Part {
  if (length === undefined || part.content.length === length) return part;
  throw fault(name, `has ${part.content.length ?? 0} bytes, but its length is ${length}`);
}

function describePart(
  name: string,
  filename: string | null,
  type: string | null,
  content: Part["content"],
): Part {
  if (type !== null && !/^[\x20-\x7e]+$/.test(type)) {
    throw fault(name, "has a type that cannot be written in a header");
  }
  const file = filename === null ? "" : `; filename="${escapeQuoted(filename)}"`;
  const typed = type === null ? "" : `\r\nContent-Type: ${type}`;
  const field = escapeQuoted(name.replace(/\r\n|\r|\n/g, "\r\n"));
  return { head: `Content-Disposition: form-data; name="${field}"${file}${typed}`, content };
}

/** Escapes like browsers (HTML standard, "multipart/form-data encoding algorithm"). */
function escapeQuoted(text: string): string {
  return text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function fault(name: string, what: string): RequestFault {
  return new RequestFault("INVALID_REQUEST", `multipart: ${JSON.stringify(name)} ${what}.`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
