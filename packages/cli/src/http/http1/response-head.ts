import { TransportFailure } from "../exchange/transport-failure.ts";
import type { ResponseHead } from "../connection/transport.ts";
import { quoteBytes } from "./quote-bytes.ts";

/** How the body of a response ends (RFC 9112, section 6.3). */
export type BodyFraming =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "chunked" }
  | { readonly kind: "untilClose" };

export const noBody: BodyFraming = { kind: "none" };

/** The head of one response, its headers taken apart when somebody asks for them. */
export class Http1ResponseHead implements ResponseHead {
  readonly status: number;
  readonly framing: BodyFraming;
  /** Whether the connection may carry another request. */
  readonly isKeptAlive: boolean;
  /** What `Keep-Alive: timeout` promises, in ms; null where it promises nothing. */
  readonly idleMs: number | null;
  readonly setsCookie: boolean;
  readonly #text: string;
  #rawHeaders: readonly string[] | null = null;

  /** `text`: the status line and the header lines, each with its line end, one character a byte. */
  constructor(text: string, facts: HeadFacts) {
    this.#text = text;
    this.status = facts.status;
    this.framing = facts.framing;
    this.isKeptAlive = facts.isKeptAlive;
    this.idleMs = facts.idleMs;
    this.setsCookie = facts.setsCookie;
  }

  rawHeaders(): readonly string[] {
    return (this.#rawHeaders ??= [...headerLines(this.#text)].flat());
  }
}

interface HeadFacts {
  readonly status: number;
  readonly framing: BodyFraming;
  readonly isKeptAlive: boolean;
  readonly idleMs: number | null;
  readonly setsCookie: boolean;
}

/** The whole head at once: RFC 9112 without what it lets a recipient forgive. */
const wellFormed =
  /^HTTP\/1\.[01] [1-9]\d\d(?: [\t -~\x80-\xff]*)?\r\n(?:[\w!#$%&'*+\-.^`|~]+:[\t -~\x80-\xff]*\r\n)*$/;

/**
 * Reads a head, status line and header lines with their line ends, of a response to `method`.
 * @throws {TransportFailure} of the kind `malformed`, with the reason
 */
export function readResponseHead(text: string, method: string): Http1ResponseHead {
  if (!wellFormed.test(text)) throw malformed(whyNotWellFormed(text), text);
  const isHttp10 = text.charCodeAt(7) === 0x30;
  const status = Number(text.slice(9, 12));
  const found = new FramingHeaders(text);
  if (status >= 600) throw malformed(`status ${status}`, text);
  const isBodiless = method === "HEAD" || status < 200 || status === 204 || status === 304;
  // Judged also where no body may come: a peer that contradicts itself cannot be followed.
  const announced = announcedFraming(found, isHttp10, text);
  const isPersistent = isHttp10 ? found.keepsAlive : !found.closes;
  return new Http1ResponseHead(text, {
    status,
    framing: isBodiless ? noBody : announced,
    isKeptAlive: isPersistent && (isBodiless || announced.kind !== "untilClose"),
    idleMs: found.idleMs,
    setsCookie: found.setsCookie,
  });
}

/** The few headers that a connection itself obeys, found in one pass. */
class FramingHeaders {
  contentLength: string | null = null;
  transferEncoding: string | null = null;
  closes = false;
  keepsAlive = false;
  idleMs: number | null = null;
  setsCookie = false;
  hasTwoLengths = false;

  constructor(text: string) {
    let lineStart = text.indexOf("\r\n") + 2;
    while (lineStart < text.length) {
      const colon = text.indexOf(":", lineStart);
      const lineEnd = text.indexOf("\r\n", colon);
      // Compared by length first: most headers are none of these.
      switch (colon - lineStart) {
        case 10:
          this.#ofTen(text.slice(lineStart, colon).toLowerCase(), text.slice(colon + 1, lineEnd));
          break;
        case 14:
          if (text.slice(lineStart, colon).toLowerCase() === "content-length")
            this.#addLength(text.slice(colon + 1, lineEnd).trim());
          break;
        case 17:
          if (text.slice(lineStart, colon).toLowerCase() === "transfer-encoding")
            this.#addEncoding(text.slice(colon + 1, lineEnd));
          break;
        default:
      }
      lineStart = lineEnd + 2;
    }
  }

  #ofTen(name: string, value: string): void {
    if (name === "set-cookie") this.setsCookie = true;
    else if (name === "connection") {
      const tokens = value.toLowerCase().split(",");
      this.closes ||= tokens.some((token) => token.trim() === "close");
      this.keepsAlive ||= tokens.some((token) => token.trim() === "keep-alive");
    } else if (name === "keep-alive") {
      const seconds = /(?:^|[\s,])timeout\s*=\s*(\d{1,9})/i.exec(value)?.[1];
      if (seconds !== undefined) this.idleMs = Number(seconds) * 1000;
    }
  }

  #addLength(value: string): void {
    this.hasTwoLengths ||= this.contentLength !== null && this.contentLength !== value;
    this.contentLength = value;
  }

  #addEncoding(value: string): void {
    const coding = value.trim().toLowerCase();
    this.transferEncoding = this.transferEncoding === null ? coding : `${this.transferEncoding}, ${coding}`;
  }
}

function announcedFraming(found: FramingHeaders, isHttp10: boolean, text: string): BodyFraming {
  const { contentLength, transferEncoding } = found;
  if (transferEncoding !== null) {
    if (contentLength !== null) throw malformed("both Content-Length and Transfer-Encoding", text);
    if (isHttp10) throw malformed("Transfer-Encoding in HTTP/1.0", text);
    if (transferEncoding !== "chunked") throw malformed("a Transfer-Encoding other than chunked", text);
    return { kind: "chunked" };
  }
  if (contentLength === null) return { kind: "untilClose" };
  if (found.hasTwoLengths) throw malformed("two Content-Lengths that differ", text);
  if (!/^\d{1,15}$/.test(contentLength)) throw malformed("a Content-Length that is no length", text);
  const bytes = Number(contentLength);
  return bytes === 0 ? noBody : { kind: "length", bytes };
}

/** The name and the value of each line. */
function* headerLines(text: string): Generator<[string, string]> {
  let lineStart = text.indexOf("\r\n") + 2;
  while (lineStart < text.length) {
    const colon = text.indexOf(":", lineStart);
    const lineEnd = text.indexOf("\r\n", colon);
    yield [text.slice(lineStart, colon), text.slice(colon + 1, lineEnd).replace(/^[ \t]+|[ \t]+$/g, "")];
    lineStart = lineEnd + 2;
  }
}

/** A response that breaks the protocol: the reason, and what came, harmless to print. */
export function malformed(reason: string, text: string): TransportFailure {
  return new TransportFailure({ kind: "malformed", reason: `${reason}; it began ${quoteBytes(text)}` });
}

/** What of a head breaks the protocol; looked into only where something does. */
export function whyNotWellFormed(text: string): string {
  const statusLine = /^[^\n]*/.exec(text)?.[0] ?? "";
  if (!/^HTTP\//i.test(text)) return "no HTTP status line";
  if (text.includes("\0")) return "a NUL byte in the head";
  if (/(?:^|[^\r])\n/.test(text)) return "a line that ends in a bare line feed";
  if (/\r(?!\n)/.test(text)) return "a carriage return within a line";
  if (!/^HTTP\/1\.[01] /.test(text)) return "another version than HTTP/1.0 or HTTP/1.1";
  if (!/^HTTP\/1\.[01] [1-9]\d\d(?: |\r$)/.test(statusLine)) return "a status that is no number from 100";
  if (/\n[ \t]/.test(text)) return "a folded header line";
  if (/[^\t\n\r -~\x80-\xff]/.test(text)) return "a control character in the head";
  return "a header line that is no name, colon and value";
}
