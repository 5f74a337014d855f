import { valueWithin } from "./response-head.ts";
import { malformed } from "./malformed.ts";

/** The largest chunk size line, and the largest trailer section, in bytes. Extensions are read and dropped. */
const maxLineBytes = 4096;
const maxTrailerBytes = 16 * 1024;

const tooLong = "a chunk that is longer than its size";
const noNumber = "a chunk size that is not a number";

/** Up to 13 hexadecimal digits are an exact number. Some servers pad the size with spaces. */
const sizeLine = /^0*([\da-f]{1,13})[ \t]*(?:;[\t -~\x80-\xff]*)?$/i;
/** A prefix of a size line. */
const sizeLineSoFar = /^[\da-f]+[ \t]*(?:;[\t -~\x80-\xff]*)?\r?$/i;
const trailerLine = /^[\w!#$%&'*+\-.^`|~]+:[\t -~\x80-\xff]*$/;

/** Shorter prefixes of a size line are validated on each read. Sizes without extensions fit into this. */
const alwaysValidatedLength = 32;

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

type State = "size" | "data" | "dataEnd" | "trailer" | "complete";

/** Parses a chunked body (RFC 9112, section 7.1), however its bytes are split. */
export class ChunkedBody {
  #state: State = "size";
  #line = "";
  #remaining = 0;
  #trailerBytes = 0;
  /** Names and values in turn. */
  readonly trailers: string[] = [];

  get isComplete(): boolean {
    return this.#state === "complete";
  }

  /**
   * Parses more bytes. Returns how many of them belong to the body.
   * @throws {TransportFailure} for malformed chunks
   */
  feed(bytes: Buffer, onData: (chunk: Uint8Array) => void): number {
    let position = 0;
    while (position < bytes.length && this.#state !== "complete") {
      if (this.#state === "data") {
        const taken = Math.min(bytes.length - position, this.#remaining);
        this.#remaining -= taken;
        if (this.#remaining === 0) this.#state = "dataEnd";
        onData(bytes.subarray(position, position + taken));
        position += taken;
      } else if (this.#state === "dataEnd") position = this.#endData(bytes, position);
      else position = this.#readLine(bytes, position);
    }
    return position;
  }

  /** Reads the CRLF after a chunk. The CR may have been in the bytes before. */
  #endData(bytes: Buffer, start: number): number {
    const expected = this.#line === "" ? carriageReturn : lineFeed;
    if (bytes[start] !== expected) throw malformed(tooLong, this.#line + bytes.toString("latin1", start));
    if (expected === carriageReturn) this.#line = "\r";
    else {
      this.#line = "";
      this.#state = "size";
    }
    return start + 1;
  }

  #readLine(bytes: Buffer, start: number): number {
    const end = bytes.indexOf(lineFeed, start);
    const until = end < 0 ? bytes.length : end + 1;
    const before = this.#line.length;
    this.#line += bytes.toString("latin1", start, until);
    if (end < 0) this.#validatePart(before);
    if (this.#line.length > (this.#state === "trailer" ? maxTrailerBytes : maxLineBytes))
      throw malformed("a chunk's line that does not end", this.#line);
    if (end < 0) return until;
    const line = this.#line;
    this.#line = "";
    if (line.charCodeAt(line.length - 2) !== carriageReturn)
      throw malformed("a chunk's line that ends in a bare line feed", line);
    if (this.#state === "trailer") this.#takeTrailer(line.slice(0, -2));
    else this.#takeSize(line.slice(0, -2));
    return until;
  }

  /** Rejects bytes that cannot become a size, without waiting for a line end that may never come. */
  #validatePart(before: number): void {
    if (this.#state !== "size") return;
    // A long line that arrives byte by byte is validated each time its length has doubled.
    if (before > alwaysValidatedLength && Math.clz32(before) === Math.clz32(this.#line.length)) return;
    if (!sizeLineSoFar.test(this.#line)) throw malformed(noNumber, this.#line);
  }

  #takeSize(line: string): void {
    const digits = sizeLine.exec(line)?.[1];
    if (digits === undefined) throw malformed(noNumber, line);
    this.#remaining = Number.parseInt(digits, 16);
    this.#state = this.#remaining === 0 ? "trailer" : "data";
  }

  #takeTrailer(line: string): void {
    if (line === "") {
      this.#state = "complete";
      return;
    }
    this.#trailerBytes += line.length;
    if (this.#trailerBytes > maxTrailerBytes) throw malformed("too many trailers", line);
    if (!trailerLine.test(line)) throw malformed("a trailer that is not a header", line);
    const colon = line.indexOf(":");
    this.trailers.push(line.slice(0, colon), valueWithin(line, colon + 1, line.length));
  }
}
