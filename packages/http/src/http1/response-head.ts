import { wordsOf } from "../net/shared-reader.ts";
import { type ErrorHeader, mayReportError, readErrorHeader } from "../transport/error-header.ts";
import type { ResponseHead } from "../transport/transport.ts";
import { malformedHead, malformed } from "./malformed.ts";

/** The head of one response. Its headers are parsed on first use. */
export class Http1ResponseHead implements ResponseHead {
  readonly status: number;
  readonly framing: BodyFraming;
  /** True if the connection may carry another request. */
  readonly isKeptAlive: boolean;
  /** The idle time that `Keep-Alive: timeout` promises, in ms; null without a promise. */
  readonly idleMs: number | null;
  readonly setsCookie: boolean;
  readonly errorHeader: ErrorHeader | null;
  readonly #text: string;
  #rawHeaders: readonly string[] | null = null;

  /** `text`: the status line and the header lines, each with its line end, one character per byte. */
  constructor(text: string, info: HeadInfo) {
    this.#text = text;
    this.status = info.status;
    this.framing = info.framing;
    this.isKeptAlive = info.isKeptAlive;
    this.idleMs = info.idleMs;
    this.setsCookie = info.setsCookie;
    this.errorHeader = info.errorHeader;
  }

  get statusText(): string {
    return this.#text.slice(statusTextAt, this.#text.indexOf("\r\n"));
  }

  rawHeaders(): readonly string[] {
    return (this.#rawHeaders ??= headerLines(this.#text));
  }
}

interface HeadInfo {
  readonly status: number;
  readonly framing: BodyFraming;
  readonly isKeptAlive: boolean;
  readonly idleMs: number | null;
  readonly setsCookie: boolean;
  readonly errorHeader: ErrorHeader | null;
}

/**
 * Matches a whole head: RFC 9112 without its leniency for recipients. A status from 600 on has no class, and
 * is treated like 5xx (RFC 9110, section 15); some servers send such statuses.
 */
const wellFormed =
  /^HTTP\/1\.[01] [1-9]\d\d(?: [\t -~\x80-\xff]*)?\r\n(?:[\w!#$%&'*+\-.^`|~]+:[\t -~\x80-\xff]*\r\n)*$/;

/**
 * Reads a head, status line and header lines with their line ends, of a response to `method`.
 * @throws {TransportFailure} of the kind `malformed`, with the reason
 */
export function readResponseHead(text: string, method: string): Http1ResponseHead {
  if (!wellFormed.test(text)) throw malformedHead(text);
  const isHttp10 = text.charCodeAt(7) === 0x30;
  const status = Number(text.slice(9, 12));
  const found = new FramingHeaders(text);
  const isBodiless = method === "HEAD" || status < 200 || status === 204 || status === 304;
  // Validated even if there can be no body: a peer that contradicts itself cannot be trusted.
  const announced = found.framing(isHttp10);
  const isPersistent = isHttp10 ? found.keepsAlive && !found.closes : !found.closes;
  return new Http1ResponseHead(text, {
    status,
    framing: isBodiless ? noBody : announced,
    isKeptAlive: isPersistent && (isBodiless || announced.kind !== "untilClose"),
    idleMs: found.idleMs,
    setsCookie: found.setsCookie,
    errorHeader: found.errorHeader,
  });
}

const statusTextAt = "HTTP/1.1 200 ".length;

/** Matches the beginning of a status line. */
const example = "HTTP/1.1 200 ";

/** Returns true if these bytes may be the beginning of a head. */
export function mayBeginHead(text: string): boolean {
  const first = text.slice(0, example.length);
  return /^HTTP\/1\.[01] [1-9]\d\d[ \r]$/.test(first + example.slice(first.length));
}

/** The number of bytes up to and including the first digit of the status. */
export const decidingBytes = 10;

/** Returns true if the head that begins with these bytes is an interim one. Needs `decidingBytes`. */
export function beginsInterim(bytes: Buffer): boolean {
  return bytes[8] === 0x20 && bytes[9] === 0x31;
}

/** Returns true for bytes that cannot be part of a head. */
export function isForbidden(text: string): boolean {
  return /[^\r]\n|\0|\r[^\n]/.test(text);
}

/** The framing of a response body (RFC 9112, section 6.3). */
type BodyFraming =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "chunked" }
  | { readonly kind: "untilClose" };

const noBody: BodyFraming = { kind: "none" };

/** The few headers that the connection and the counts use, found in one pass over a well-formed head. */
class FramingHeaders {
  closes = false;
  keepsAlive = false;
  /** The idle time that `Keep-Alive: timeout` promises, in ms; null without a promise. */
  idleMs: number | null = null;
  setsCookie = false;
  errorHeader: ErrorHeader | null = null;
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
          this.#readTenCharacterName(head.slice(lineStart, colon).toLowerCase(), colon + 1, lineEnd);
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
          if (mayReportError(colon - lineStart))
            this.errorHeader ??= readErrorHeader(
              head.slice(lineStart, colon),
              valueWithin(head, colon + 1, lineEnd),
            );
      }
      lineStart = lineEnd + 2;
    }
  }

  /** Returns the framing that the head states. @throws {TransportFailure} if it contradicts itself */
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

  #readTenCharacterName(name: string, valueStart: number, valueEnd: number): void {
    if (name === "set-cookie") this.setsCookie = true;
    else if (name === "connection") {
      const value = this.#head.slice(valueStart, valueEnd);
      this.closes ||= announcesClose(value);
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
export function announcesClose(value: string): boolean {
  return closeOption.test(value);
}

/** Returns the header names and values, in turn, of a well-formed head. */
function headerLines(head: string): string[] {
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
 * Returns a value without the spaces and tabs around it. `trim` would also remove bytes that look like
 * Unicode spaces. A regular expression could block a worker for seconds on a value of many spaces.
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

/** Longer heads are parsed each time. */
const maxBytes = 4096;

/** The memory for a head grows in steps of this size. */
const stepBytes = 256;

const empty = Buffer.alloc(0);

/**
 * The last response head to the same request, with its bytes. Most servers change a head only once a second,
 * with its `Date`. Equal bytes are the same head, and need not be parsed again.
 */
export class KnownHead {
  #bytes = empty;
  /** The same memory as `#bytes`. */
  #words = new Int32Array(0);
  #length = 0;
  #method = "";
  #head: Http1ResponseHead | null = null;

  /** The length of the head in bytes, including the empty line. */
  get length(): number {
    return this.#length;
  }

  /** Returns the head if these bytes begin with it and respond to the same method; otherwise null. */
  find(bytes: Buffer, method: string): Http1ResponseHead | null {
    const length = this.#length;
    if (length === 0 || bytes.length < length || method !== this.#method) return null;
    return this.#begins(bytes) ? this.#head : null;
  }

  /** Four bytes at a time, comparing takes a third of the time of a call of `compare`. */
  #begins(bytes: Buffer): boolean {
    const [length, given, known] = [this.#length, wordsOf(bytes), this.#words];
    if (given === null) return this.#bytes.compare(bytes, 0, length, 0, length) === 0;
    const words = length >>> 2;
    for (let at = 0; at < words; at++) if (given[at] !== known[at]) return false;
    for (let at = 4 * words; at < length; at++) if (bytes[at] !== this.#bytes[at]) return false;
    return true;
  }

  /** Stores a head. `length`: its length at the beginning of `bytes`, including the empty line. */
  keep(bytes: Buffer, length: number, method: string, head: Http1ResponseHead): void {
    this.#length = 0;
    if (length > maxBytes) return;
    if (this.#bytes.length < length) {
      this.#bytes = Buffer.allocUnsafeSlow(stepBytes * Math.ceil(length / stepBytes));
      this.#words = new Int32Array(this.#bytes.buffer);
    }
    bytes.copy(this.#bytes, 0, 0, length);
    this.#length = length;
    this.#method = method;
    this.#head = head;
  }
}
