import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from "node:zlib";

import sniffEncoding from "html-encoding-sniffer";

/** Larger decompressed bodies are rejected, because a few kilobytes can decompress to any size. */
const maxDecodedBytes = 64 * 1024 * 1024;
/** Each encoding may cost as much as decoding a body of the largest size; honest servers use one or two. */
const maxEncodings = 5;

/** A body could not be decompressed. The message continues a sentence that begins with the body. */
export class DecodingFailure extends Error {
  override readonly name = "DecodingFailure";
}

/**
 * Returns a body without its content encodings, which are removed from the last listed to the first. Decoding
 * stops at an unknown encoding.
 * @throws {DecodingFailure}
 */
export function decodeBody(
  wire: Uint8Array,
  contentEncoding: string,
  maxBytes: number = maxDecodedBytes,
): Uint8Array {
  if (wire.length === 0 || contentEncoding === "") return wire;
  const encodings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== "" && encoding !== "identity");
  if (encodings.length > maxEncodings) {
    throw new DecodingFailure(
      `is encoded ${encodings.length} times (content-encoding), but at most ${maxEncodings} are supported`,
    );
  }
  let bytes = wire;
  for (const encoding of encodings.reverse()) {
    const decompress = decompressors.get(encoding);
    if (decompress === undefined) return bytes;
    bytes = attempt(() => decompress(bytes, maxBytes), encoding, maxBytes);
  }
  return bytes;
}

/** Throws if the output is longer than `maxOutputLength`. */
type Decompress = (bytes: Uint8Array, maxOutputLength: number) => Uint8Array;

const decompressors: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ["gzip", (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength })],
  ["x-gzip", (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength })],
  ["deflate", inflate],
  ["br", (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength })],
  ["zstd", unpackZstd],
]);

function attempt(decompress: () => Uint8Array, encoding: string, maxBytes: number): Uint8Array {
  try {
    return decompress();
  } catch (cause) {
    throw new DecodingFailure(whatIsWrong(cause, encoding, maxBytes), { cause });
  }
}

function whatIsWrong(cause: unknown, encoding: string, maxBytes: number): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  if (code === "ERR_BUFFER_TOO_LARGE") {
    return `is larger than ${maxBytes / 1024 / 1024} MiB when it is decompressed (${encoding})`;
  }
  if (code === "Z_BUF_ERROR") return `cannot be decompressed: its ${encoding} ends too early`;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return `cannot be decompressed: it is not ${encoding}, or damaged (${reason})`;
}

/** Inflates. Some servers omit the zlib header that the standard requires, and browsers accept both. */
function inflate(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  const [first = 0, second = 0] = bytes;
  const hasHeader = (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
  return hasHeader || bytes.length === 1
    ? inflateSync(bytes, { maxOutputLength })
    : inflateRawSync(bytes, { maxOutputLength });
}

/** The number of bytes searched for an XML declaration, as many as browsers search for a `<meta charset>`. */
const declaredWithinBytes = 1024;

/**
 * Returns the encoding of a text by its `TextDecoder` name: from the byte order mark, else the charset of the
 * content-type, else the declaration in HTML or XML, else UTF-8. Unknown charsets are ignored.
 */
export function charsetOf(bytes: Uint8Array, contentType: string): string {
  return (
    byOrderMark(bytes) ??
    known(/;\s*charset\s*=\s*["']?([^"';,\s]+)/i.exec(contentType)?.[1]) ??
    byDocument(bytes, contentType) ??
    "utf-8"
  );
}

function byOrderMark([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return null;
}

function byDocument(bytes: Uint8Array, contentType: string): string | null {
  const [type = ""] = contentType.toLowerCase().split(";", 1);
  if (type.trim() === "text/html") return known(sniffEncoding(bytes, { defaultEncoding: "" }));
  return /[/+]xml\s*$/.test(type) ? inXmlDeclaration(bytes) : null;
}

function inXmlDeclaration(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, declaredWithinBytes));
  const declared = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(text.toString("latin1"))?.[1];
  const named = known(declared);
  // It was readable as single bytes, so it cannot be UTF-16 (HTML standard, "prescan a byte stream").
  return named?.startsWith("utf-16") === true ? "utf-8" : named;
}

/** Returns the `TextDecoder` name of a charset; null if it is unknown. */
function known(label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** Each frame has a fixed cost: a body of many empty frames would block a worker for long. */
const maxFrames = 1000;

/**
 * Decompresses Zstandard frame by frame (RFC 8878, section 3), because Node stops after the first frame.
 * @throws what `node:zlib` throws.
 */
function unpackZstd(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const unpacked: Uint8Array[] = [];
  let rest = bytes;
  let left = maxBytes;
  while (rest.length > 0) {
    if (unpacked.length === maxFrames) throw new Error(`more than ${maxFrames} frames`);
    const { frame, consumedBytes } = unpackFrame(rest, Math.max(1, left));
    unpacked.push(frame);
    left -= frame.length;
    rest = rest.subarray(consumedBytes);
  }
  const [only] = unpacked;
  return unpacked.length === 1 && only !== undefined ? only : Buffer.concat(unpacked);
}

interface UnpackedFrame {
  readonly frame: Uint8Array;
  readonly consumedBytes: number;
}

function unpackFrame(bytes: Uint8Array, maxOutputLength: number): UnpackedFrame {
  // With `info` the result differs from its type in @types/node.
  const result: unknown = zstdDecompressSync(bytes, { maxOutputLength, info: true });
  if (!hasInfo(result) || result.engine.bytesWritten === 0) throw new Error("no frame");
  return { frame: result.buffer, consumedBytes: result.engine.bytesWritten };
}

interface ResultWithInfo {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

function hasInfo(result: unknown): result is ResultWithInfo {
  if (typeof result !== "object" || result === null || !("buffer" in result) || !("engine" in result))
    return false;
  const { buffer, engine } = result;
  if (!(buffer instanceof Uint8Array) || typeof engine !== "object" || engine === null) return false;
  return "bytesWritten" in engine && typeof engine.bytesWritten === "number";
}
