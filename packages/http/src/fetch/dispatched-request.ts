import { stringify } from "node:querystring";
import { Readable } from "node:stream";

import type { RandomSource } from "@bearhug/plan/pacing/random-source";
import { errors, type Dispatcher } from "undici";

import { encodeMultipart } from "../request/multipart.ts";
import { declaredBytes, uncompressed, type EncodedBody } from "../request/request-body.ts";
import { blobBody, streamBody } from "../request/streamed-body.ts";
import type { RequestBody, StreamedBody } from "../transport/wire-body.ts";

type Options = Dispatcher.DispatchOptions;
type Pair = readonly [name: string, value: string];

/** Receives the body of a request while it is read. */
export interface BodyReader {
  /** A piece is about to be written. The request counts as sent once the system has the last piece. */
  onBodySent(piece: Uint8Array): void;
  /** The whole body is in memory, and is sent at once. */
  onWholeBody(bytes: Uint8Array): void;
  onBodyFailed(error: unknown): void;
}

/** Returns the address that a client of undici requests. @throws {errors.InvalidArgumentError} */
export function dispatchedAddress({ origin, path, query }: Options): string {
  if (origin === undefined || typeof path !== "string" || !path.startsWith("/")) {
    throw new errors.InvalidArgumentError("a request needs an origin, and a path that begins with a slash");
  }
  if (/[^\x21-\xff]/.test(path)) {
    throw new errors.InvalidArgumentError(
      "a path must have no spaces, control characters or others beyond Latin-1",
    );
  }
  if (query !== undefined && /[?#]/.test(path)) {
    throw new errors.InvalidArgumentError('query cannot be given with a path that contains "?" or "#"');
  }
  const base = typeof origin === "string" ? origin.replace(/\/$/, "") : origin.origin;
  const queryText = query === undefined ? "" : stringify(query);
  return `${base}${path}${queryText === "" ? "" : `?${queryText}`}`;
}

/** Methods that define no meaning for a body. */
const bodiless: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** Headers that `fetch` adds by default: the test's default headers replace them. */
const fillers: ReadonlyMap<string, readonly string[]> = new Map([
  ["accept", ["*/*"]],
  ["accept-language", ["*"]],
  ["user-agent", ["undici", "node"]],
]);

/**
 * Returns the headers of a request, which undici accepts as a flat list, an object, or pairs. Headers that
 * `fetch` adds by default are omitted if `defaults`, the test's own, contain them.
 */
export function headersOf(request: Options, defaults: readonly string[]): Pair[] {
  const { headers, reset } = request;
  const isBodiless = (request.body ?? "") === "" && bodiless.has(request.method);
  const pairs: Pair[] = reset === true ? [["connection", "close"]] : [];
  const add = (name: string, value: unknown): void => {
    const lower = name.toLowerCase();
    if (lower === "expect") throw new errors.NotSupportedError("expect header not supported");
    if (lower === "keep-alive") throw new errors.InvalidArgumentError("invalid keep-alive header");
    // undici omits it too: otherwise the server would wait for a body.
    if (lower === "content-length" && isBodiless) return;
    const text = textOf(value);
    if (!isReplaced(lower, text, defaults)) pairs.push([name, text]);
  };
  forEachHeader(headers, (name, given) => {
    if (Array.isArray(given)) for (const value of given as unknown[]) add(name, value);
    else add(name, given);
  });
  return pairs;
}

function isReplaced(lower: string, text: string, defaults: readonly string[]): boolean {
  if (fillers.get(lower)?.includes(text) !== true) return false;
  return defaults.some((given, index) => index % 2 === 0 && given.toLowerCase() === lower);
}

function forEachHeader(headers: Options["headers"], take: (name: string, value: unknown) => void): void {
  if (headers === undefined || headers === null) return;
  if (typeof headers !== "object")
    throw new errors.InvalidArgumentError("headers must be an object or an array");
  if (Array.isArray(headers) && !Array.isArray(headers[0])) {
    if (headers.length % 2 !== 0) throw new errors.InvalidArgumentError("headers array must be even");
    for (let at = 0; at + 1 < headers.length; at += 2) take(String(headers[at]), headers[at + 1]);
    return;
  }
  if (!(Symbol.iterator in headers)) {
    const fields: Readonly<Record<string, unknown>> = headers;
    // Avoids the arrays of `Object.entries`: `fetch` sends five headers with each request.
    for (const name of Object.keys(fields)) if (fields[name] !== undefined) take(name, fields[name]);
    return;
  }
  for (const pair of headers as Iterable<unknown>) {
    if (!Array.isArray(pair) || pair.length !== 2) {
      throw new errors.InvalidArgumentError("headers must be in key-value pair format");
    }
    const [name, value]: readonly unknown[] = pair as unknown[];
    if (value !== undefined) take(String(name), value);
  }
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new errors.InvalidArgumentError(`a header cannot be a value of type ${typeof value}`);
}

/**
 * Encodes the body of a request from any form that undici accepts; null if it has none. A stream is counted
 * while it is read.
 * @throws {errors.InvalidArgumentError} for anything else
 * @throws {errors.RequestContentLengthMismatchError} if its length differs from `content-length`
 */
export function bodyOf(
  body: unknown,
  headers: readonly Pair[],
  random: RandomSource,
  reader: BodyReader,
): EncodedBody | null {
  const declared = declaredBytes({ headers });
  const encoded = encode(body, declared, random, reader);
  if (declared !== null && declared !== (encoded === null ? 0 : encoded.body.length)) throw mismatch();
  return encoded;
}

function encode(
  body: unknown,
  declared: number | null,
  random: RandomSource,
  reader: BodyReader,
): EncodedBody | null {
  if (body === undefined || body === null) return null;
  if (typeof body === "string" || body instanceof ArrayBuffer || ArrayBuffer.isView(body)) {
    const bytes = bytesIn(body);
    if (bytes.length === 0) return null;
    reader.onWholeBody(bytes);
    return uncompressed(bytes);
  }
  if (typeof body !== "object") throw invalidBody();
  if (isFormData(body)) {
    const { body: parts, contentType } = encodeMultipart(body, random);
    return uncompressed(readBy(parts, reader), contentType);
  }
  if (body instanceof Blob)
    return uncompressed(readBy(blobBody(body, "the body"), reader), body.type === "" ? null : body.type);
  if (Symbol.asyncIterator in body || Symbol.iterator in body)
    return uncompressed(streamedBody(body as Pieces, declared, reader));
  throw invalidBody();
}

type Pieces = AsyncIterable<unknown> | Iterable<unknown>;

function streamedBody(source: Pieces, length: number | null, reader: BodyReader): StreamedBody {
  const body = streamBody(readPieces(source, length, reader), length, "the body");
  if (!(source instanceof Readable)) return body;
  // An early error is reported to the reader later. Without a listener, it would end the worker.
  source.on("error", (error) => {
    reader.onBodyFailed(error);
  });
  return { ...body, abandon: () => void source.destroy() };
}

/** Wraps a body so that the reader receives each piece that is sent. */
function readBy(body: RequestBody, reader: BodyReader): RequestBody {
  if (!(body instanceof Uint8Array)) return { ...body, open: () => readEach(body.open(), reader) };
  reader.onWholeBody(body);
  return body;
}

async function* readEach(pieces: AsyncIterable<Uint8Array>, reader: BodyReader): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    reader.onBodySent(piece);
    yield piece;
  }
}

function bytesIn(body: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof body === "string") return Buffer.from(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
}

/** Returns true for Node's own FormData and undici's. */
function isFormData(body: object): body is FormData {
  return Object.prototype.toString.call(body) === "[object FormData]" && Symbol.iterator in body;
}

/** Yields no more than the declared length. */
async function* readPieces(
  source: Pieces,
  length: number | null,
  reader: BodyReader,
): AsyncGenerator<Uint8Array> {
  let left = length ?? Number.POSITIVE_INFINITY;
  const pieces = iteratorOf(source);
  let isRead = false;
  try {
    for (;;) {
      const next: IteratorResult<unknown, unknown> = await pieces.next();
      isRead = next.done === true;
      if (isRead) break;
      const bytes = typeof next.value === "string" ? Buffer.from(next.value) : next.value;
      if (!(bytes instanceof Uint8Array)) throw invalidBody();
      left -= bytes.length;
      if (left < 0) throw mismatch();
      reader.onBodySent(bytes);
      yield bytes;
    }
    if (length !== null && left > 0) throw mismatch();
  } catch (error) {
    reader.onBodyFailed(error);
    throw error;
  } finally {
    // Not awaited: the source of `fetch` may never report that it has closed.
    if (!isRead) Promise.resolve(pieces.return?.()).catch(() => undefined);
  }
}

function iteratorOf(source: Pieces): AsyncIterator<unknown, unknown> | Iterator<unknown, unknown> {
  // If its iterator closed it, it would report an abort before the actual cause is known.
  if (source instanceof Readable) return source.iterator({ destroyOnReturn: false });
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
}

function mismatch(): Error {
  return new errors.RequestContentLengthMismatchError();
}

function invalidBody(): Error {
  return new errors.InvalidArgumentError(
    "body must be a text, bytes, a Blob, a FormData, or a stream of texts or bytes",
  );
}
