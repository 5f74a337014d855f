/** A body that is read while it is written. */
export interface StreamedBody {
  /** In bytes; null if unknown: then it is written in chunks. */
  readonly length: number | null;
  /** True if it can be opened again, for a retry or a redirect that keeps the body. */
  readonly isRepeatable: boolean;
  /** Yields its bytes in pieces that are not empty. Throws if its length is not the declared one. */
  open(): AsyncIterable<Uint8Array>;
  /** Releases its resources, whether it was read or not. */
  abandon?(): void;
}

/** The body of a request as a transport writes it: bytes in memory, or a stream of them. */
export type RequestBody = Uint8Array | StreamedBody;

/** Methods that define a meaning for a body: an empty body is announced too (RFC 9110, section 8.6). */
const withBody = new Set(["POST", "PUT", "PATCH"]);

/** Returns the length that a request announces, in bytes; null without a body, or if it is unknown. */
export function announcedLength(method: string, body: RequestBody | null): number | null {
  return body === null ? (withBody.has(method) ? 0 : null) : body.length;
}

/** A body in memory is written in pieces of this size, each after the system has taken the one before. */
export const pieceBytes: number = 64 * 1024;

/** Returns true for a body so large that sending it takes measurable time. */
export function isLarge(body: Uint8Array): boolean {
  return body.length > pieceBytes;
}

/** Splits a large body into pieces. */
export function inPieces(body: Uint8Array): StreamedBody {
  return {
    length: body.length,
    isRepeatable: true,
    open: () => pieces(body),
  };
}

async function* pieces(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < body.length; position += pieceBytes)
    yield await Promise.resolve(body.subarray(position, position + pieceBytes));
}
