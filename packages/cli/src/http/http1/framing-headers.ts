import { malformed } from "./malformed.ts";

/** The framing of a response body (RFC 9112, section 6.3). */
export type BodyFraming =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "chunked" }
  | { readonly kind: "untilClose" };

export const noBody: BodyFraming = { kind: "none" };

/** The few headers that a connection itself obeys, found in one pass over a head that is well formed. */
export class FramingHeaders {
  closes = false;
  keepsAlive = false;
  /** The idle time that `Keep-Alive: timeout` promises, in ms; null without a promise. */
  idleMs: number | null = null;
  setsCookie = false;
  readonly #head: string;
  #contentLength: string | null = null;
  #transferEncoding: string | null = null;
  #hasTwoLengths = false;

  constructor(head: string) {
    this.#head = head;
    let lineStart = head.indexOf("\r\n") + 2;
    while (lineStart < head.length) {
      const colon = head.indexOf(":", lineStart);
      const lineEnd = head.indexOf("\r\n", colon);
      // Compared by length first: most headers are none of these.
      switch (colon - lineStart) {
        case 10:
          this.#ofTen(head.slice(lineStart, colon).toLowerCase(), colon + 1, lineEnd);
          break;
        case 14:
          if (head.slice(lineStart, colon).toLowerCase() === "content-length")
            this.#addLength(valueWithin(head, colon + 1, lineEnd));
          break;
        case 17:
          if (head.slice(lineStart, colon).toLowerCase() === "transfer-encoding")
            this.#addEncoding(valueWithin(head, colon + 1, lineEnd));
          break;
        default:
      }
      lineStart = lineEnd + 2;
    }
  }

  /** Returns the framing that the head states. @throws {TransportFailure} where it contradicts itself */
  framing(isHttp10: boolean): BodyFraming {
    const [length, encoding] = [this.#contentLength, this.#transferEncoding];
    if (encoding !== null) {
      if (length !== null) throw malformed("both Content-Length and Transfer-Encoding", this.#head);
      if (isHttp10) throw malformed("Transfer-Encoding in HTTP/1.0", this.#head);
      if (encoding !== "chunked") throw malformed("a Transfer-Encoding other than chunked", this.#head);
      return { kind: "chunked" };
    }
    if (length === null) return { kind: "untilClose" };
    if (this.#hasTwoLengths) throw malformed("two Content-Lengths that differ", this.#head);
    if (!/^0*\d{1,15}$/.test(length)) throw malformed("an invalid Content-Length", this.#head);
    const bytes = Number(length);
    return bytes === 0 ? noBody : { kind: "length", bytes };
  }

  #ofTen(name: string, valueStart: number, valueEnd: number): void {
    if (name === "set-cookie") this.setsCookie = true;
    else if (name === "connection") {
      const value = this.#head.slice(valueStart, valueEnd);
      this.closes ||= asksToClose(value);
      this.keepsAlive ||= keepAliveOption.test(value);
    } else if (name === "keep-alive") {
      const value = this.#head.slice(valueStart, valueEnd);
      const seconds = /(?:^|[\s,])timeout\s*=\s*(\d{1,9})/i.exec(value)?.[1];
      if (seconds !== undefined) this.idleMs = Number(seconds) * 1000;
    }
  }

  #addLength(value: string): void {
    this.#hasTwoLengths ||= this.#contentLength !== null && this.#contentLength !== value;
    this.#contentLength = value;
  }

  #addEncoding(value: string): void {
    const coding = value.toLowerCase();
    this.#transferEncoding =
      this.#transferEncoding === null ? coding : `${this.#transferEncoding}, ${coding}`;
  }
}

const closeOption = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;
const keepAliveOption = /(?:^|,)[ \t]*keep-alive[ \t]*(?:,|$)/i;

/** Returns true if the value of a `Connection` header announces the close of the connection. */
export function asksToClose(value: string): boolean {
  return closeOption.test(value);
}

/** The names and values, in turn, of the header lines of a head whose lines are known to be well formed. */
export function headerLines(head: string): string[] {
  const lines: string[] = [];
  let lineStart = head.indexOf("\r\n") + 2;
  while (lineStart < head.length) {
    const colon = head.indexOf(":", lineStart);
    const lineEnd = head.indexOf("\r\n", colon);
    lines.push(head.slice(lineStart, colon), valueWithin(head, colon + 1, lineEnd));
    lineStart = lineEnd + 2;
  }
  return lines;
}

/**
 * A value without the spaces and tabs around it. Not `trim`: it would take bytes of the value for spaces of Unicode.
 * Nor a regular expression: a value of many spaces would hold a worker up for seconds.
 */
export function valueWithin(head: string, start: number, end: number): string {
  let [first, last] = [start, end];
  while (first < last && isSpace(head.charCodeAt(first))) first++;
  while (last > first && isSpace(head.charCodeAt(last - 1))) last--;
  return head.slice(first, last);
}

function isSpace(character: number): boolean {
  return character === 0x20 || character === 0x09;
}
