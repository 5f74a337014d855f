import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";

import { unpackZstd } from "./unpack-zstd.ts";

/** Decompressed bodies up to here are readable: what a few kilobytes may blow up to is the sender's choice. */
const maxDecodedBytes = 64 * 1024 * 1024;
/** Each encoding costs as much as a body of the largest size: nobody in good faith names more. */
const maxEncodings = 5;

/** A body could not be decompressed; the message says why, as the rest of a sentence about it. */
export class DecodingFailure extends Error {
  override readonly name = "DecodingFailure";
}

/**
 * A body without its content encodings, which are taken off from the last named to the first. Where one is unknown, the
 * bytes stay as they are from there on.
 * @throws {DecodingFailure}
 */
export function decodeBody(
  wire: Uint8Array,
  contentEncoding: string,
  mostBytes: number = maxDecodedBytes,
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
    bytes = attempt(() => decompress(bytes, mostBytes), encoding, mostBytes);
  }
  return bytes;
}

/** `maxOutputLength`: it throws when there is more. */
type Decompress = (bytes: Uint8Array, maxOutputLength: number) => Uint8Array;

const decompressors: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ["gzip", (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength })],
  ["x-gzip", (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength })],
  ["deflate", inflate],
  ["br", (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength })],
  ["zstd", unpackZstd],
]);

function attempt(decompress: () => Uint8Array, encoding: string, mostBytes: number): Uint8Array {
  try {
    return decompress();
  } catch (cause) {
    throw new DecodingFailure(whatIsWrong(cause, encoding, mostBytes), { cause });
  }
}

function whatIsWrong(cause: unknown, encoding: string, mostBytes: number): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  if (code === "ERR_BUFFER_TOO_LARGE") {
    return `is larger than ${mostBytes / 1024 / 1024} MiB when it is decompressed (${encoding})`;
  }
  if (code === "Z_BUF_ERROR") return `cannot be decompressed: its ${encoding} ends too early`;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return `cannot be decompressed: it is not ${encoding}, or damaged (${reason})`;
}

/** By the standard with zlib's two bytes before it; some servers leave them out, and browsers take both. */
function inflate(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  const [first = 0, second = 0] = bytes;
  const hasHeader = (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
  return hasHeader || bytes.length === 1
    ? inflateSync(bytes, { maxOutputLength })
    : inflateRawSync(bytes, { maxOutputLength });
}
