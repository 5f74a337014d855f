/**
 * A block of header fields that breaks RFC 7541. The connection cannot go on: the tables of both sides no longer agree,
 * so it ends with COMPRESSION_ERROR (RFC 9113, section 4.3).
 */
export class HpackError extends Error {
  override readonly name = "HpackError";
}
