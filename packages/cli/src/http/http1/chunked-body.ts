import { malformed } from "./response-head.ts";

/** What a chunk's size line and all trailers may take: extensions and trailers are read and forgotten. */
const maxLineBytes = 4096;
const maxTrailerBytes = 16 * 1024;
/** A size of this many digits is still exact as a number. */
const maxSizeDigits = 13;

const tooLong = "a chunk that is longer than its size";
const noNumber = "a chunk size that is no number";

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

type State = "size" | "data" | "dataEnd" | "trailer" | "complete";

/** A body in chunks (RFC 9112, section 7.1), however its bytes are cut. */
export class ChunkedBody {
  #state: State = "size";
  #line = "";
  #remaining = 0;
  #trailerBytes = 0;

  get isComplete(): boolean {
    return this.#state === "complete";
  }

  /** Reads on; the number of bytes that belong to the body. @throws {TransportFailure} for what is not in chunks */
  feed(bytes: Buffer, onData: (chunk: Uint8Array) => void): number {
    let position = 0;
    while (position < bytes.length && this.#state !== "complete") {
      if (this.#state === "data") {
        const taken = Math.min(bytes.length - position, this.#remaining);
        this.#remaining -= taken;
        if (this.#remaining === 0) this.#state = "dataEnd";
        onData(bytes.subarray(position, position + taken));
        position += taken;
      } else position = this.#readLine(bytes, position);
    }
    return position;
  }

  #readLine(bytes: Buffer, start: number): number {
    const end = bytes.indexOf(lineFeed, start);
    const until = end < 0 ? bytes.length : end + 1;
    this.#line += bytes.toString("latin1", start, until);
    if (this.#line.length > (this.#state === "trailer" ? maxTrailerBytes : maxLineBytes))
      throw malformed("a chunk's line that does not end", this.#line);
    if (end < 0) {
      this.#judgeStart();
      return until;
    }
    const line = this.#line;
    this.#line = "";
    if (line.charCodeAt(line.length - 2) !== carriageReturn)
      throw malformed("a chunk's line that ends in a bare line feed", line);
    this.#takeLine(line.slice(0, -2));
    return until;
  }

  /** What cannot become a line is refused before its end comes, for it may never come. */
  #judgeStart(): void {
    if (this.#state === "dataEnd" && this.#line !== "\r") throw malformed(tooLong, this.#line);
    if (this.#state === "size" && !/^(?:[\da-f]+[ \t]*(?:;[^\r]*)?\r?)$/i.test(this.#line))
      throw malformed(noNumber, this.#line);
  }

  #takeLine(line: string): void {
    switch (this.#state) {
      case "size":
        this.#takeSize(line);
        break;
      case "dataEnd":
        if (line !== "") throw malformed(tooLong, line);
        this.#state = "size";
        break;
      case "trailer":
        this.#takeTrailer(line);
        break;
      case "data":
      case "complete":
        break;
    }
  }

  #takeSize(line: string): void {
    const digits = /^([\da-f]+)[ \t]*(?:;[^\0\r]*)?$/i.exec(line)?.[1];
    if (digits === undefined || digits.length > maxSizeDigits) throw malformed(noNumber, line);
    this.#remaining = Number.parseInt(digits, 16);
    this.#state = this.#remaining === 0 ? "trailer" : "data";
  }

  #takeTrailer(line: string): void {
    if (line === "") {
      this.#state = "complete";
      return;
    }
    this.#trailerBytes += line.length;
    if (this.#trailerBytes > maxTrailerBytes) throw malformed("trailers beyond all measure", line);
    if (!/^[\w!#$%&'*+\-.^`|~]+:[^\0\r]*$/.test(line)) throw malformed("a trailer that is no header", line);
  }
}
