/** The error codes of RFC 9113, section 7. */
export const errorCode = {
  noError: 0,
  protocolError: 1,
  flowControlError: 3,
  streamClosed: 5,
  frameSizeError: 6,
  refusedStream: 7,
  cancel: 8,
  compressionError: 9,
  enhanceYourCalm: 11,
} as const;

/** The names of all error codes, in order. */
const names = [
  "NO_ERROR",
  "PROTOCOL_ERROR",
  "INTERNAL_ERROR",
  "FLOW_CONTROL_ERROR",
  "SETTINGS_TIMEOUT",
  "STREAM_CLOSED",
  "FRAME_SIZE_ERROR",
  "REFUSED_STREAM",
  "CANCEL",
  "COMPRESSION_ERROR",
  "CONNECT_ERROR",
  "ENHANCE_YOUR_CALM",
  "INADEQUATE_SECURITY",
  "HTTP_1_1_REQUIRED",
] as const;

/** Returns RFC 9113's name of an error; its number if it has none. */
export function errorName(code: number): string {
  return names[code] ?? `0x${code.toString(16)}`;
}

/** The peer violated the protocol in a way that requires closing the connection. */
export class Http2Violation extends Error {
  override readonly name = "Http2Violation";
  readonly code: number;

  /** `reason` is for people, and does not quote the peer. */
  constructor(code: number, reason: string) {
    super(reason);
    this.code = code;
  }
}
