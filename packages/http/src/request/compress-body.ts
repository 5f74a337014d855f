import { pipeline } from "node:stream/promises";
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  createZstdCompress,
  deflateSync,
  gzipSync,
  type BrotliOptions,
  zstdCompressSync,
} from "node:zlib";

import type { RequestOptions } from "@bearhug/sdk";

import type { StreamedBody } from "../transport/wire-body.ts";

/** The encodings for request bodies, by their `content-encoding` names. */
export type BodyEncoding = NonNullable<RequestOptions["compress"]>;

/** The quality that clients use for dynamic content: Brotli's own default, 11, takes fifty times as long. */
const brotli = (): BrotliOptions => ({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });

const compressors = {
  gzip: { whole: (bytes: Uint8Array) => gzipSync(bytes), stream: () => createGzip() },
  deflate: { whole: (bytes: Uint8Array) => deflateSync(bytes), stream: () => createDeflate() },
  br: {
    whole: (bytes: Uint8Array) => brotliCompressSync(bytes, brotli()),
    stream: () => createBrotliCompress(brotli()),
  },
  zstd: { whole: (bytes: Uint8Array) => zstdCompressSync(bytes), stream: () => createZstdCompress() },
} as const;

/** The names of all encodings. */
export const bodyEncodings: readonly string[] = Object.keys(compressors);

interface Compressed {
  /** A copy, because the test may write to its own bytes. */
  readonly bytes: Uint8Array;
  readonly compressed: Uint8Array;
}

/** Tests send a few bodies repeatedly; the last one of each encoding and length is cached. */
const maxKept = 32;
const longestKept = 1024 * 1024;
const kept = new Map<string, Compressed>();

/** Compresses bytes. Bytes equal to cached ones are not compressed again. */
export function compressBytes(bytes: Uint8Array, encoding: BodyEncoding): Uint8Array {
  const { whole } = compressors[encoding];
  if (bytes.length > longestKept) return whole(bytes);
  const key = `${encoding} ${bytes.length}`;
  const known = kept.get(key);
  if (known !== undefined && Buffer.compare(known.bytes, bytes) === 0) return known.compressed;
  const compressed = whole(bytes);
  if (known === undefined && kept.size >= maxKept) kept.clear();
  kept.set(key, { bytes: Uint8Array.from(bytes), compressed });
  return compressed;
}

/** Compresses a stream while it is read. It is sent in chunks, because its length is unknown. */
export function compressStream(body: StreamedBody, encoding: BodyEncoding): StreamedBody {
  return {
    length: null,
    isRepeatable: body.isRepeatable,
    open: () => compressPieces(body.open(), encoding),
    abandon: () => body.abandon?.(),
  };
}

async function* compressPieces(
  pieces: AsyncIterable<Uint8Array>,
  encoding: BodyEncoding,
): AsyncGenerator<Uint8Array> {
  const packer = compressors[encoding].stream();
  // Errors are thrown by the loop that reads the packer.
  pipeline(pieces, packer).catch(() => undefined);
  for await (const piece of packer) yield piece as Uint8Array;
}
