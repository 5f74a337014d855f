import { errorCode, Http2Violation } from "./error-codes.ts";

/** More than a list of fields within the limits can take, so that one beyond them is still read and the connection goes on. */
const longestBlock = 256 * 1024;
const mostFrames = 16;

/** The block of a head that comes in several frames: HEADERS, then CONTINUATION (RFC 9113, section 6.10). */
export class HeaderBlock {
  readonly streamId: number;
  readonly endsStream: boolean;
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(streamId: number, endsStream: boolean) {
    this.streamId = streamId;
    this.endsStream = endsStream;
  }

  /** @throws {Http2Violation} if it becomes too long */
  add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > longestBlock || this.#pieces.length >= mostFrames) {
      const reason = `a head of more than ${longestBlock} bytes or ${mostFrames} frames`;
      throw new Http2Violation(errorCode.enhanceYourCalm, reason);
    }
    // The memory of the piece is only lent.
    this.#pieces.push(Buffer.from(piece));
  }

  whole(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
