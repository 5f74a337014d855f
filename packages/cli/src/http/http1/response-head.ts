import type { ResponseHead } from "../transport/transport.ts";
import { type BodyFraming, FramingHeaders, headerLines, noBody } from "./framing-headers.ts";
import { malformedHead } from "./malformed.ts";

/** The head of one response, its headers taken apart when somebody asks for them. */
export class Http1ResponseHead implements ResponseHead {
  readonly status: number;
  readonly framing: BodyFraming;
  /** True if the connection may carry another request. */
  readonly isKeptAlive: boolean;
  /** The idle time that `Keep-Alive: timeout` promises, in ms; null without a promise. */
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

  get statusText(): string {
    return this.#text.slice(statusTextAt, this.#text.indexOf("\r\n"));
  }

  rawHeaders(): readonly string[] {
    return (this.#rawHeaders ??= headerLines(this.#text));
  }
}

interface HeadFacts {
  readonly status: number;
  readonly framing: BodyFraming;
  readonly isKeptAlive: boolean;
  readonly idleMs: number | null;
  readonly setsCookie: boolean;
}

/**
 * The whole head at once: RFC 9112 without what it lets a recipient forgive. From 600 on a status is of no class, and to be
 * read like 5xx (RFC 9110, section 15); there are servers that answer so.
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
  // Judged also where no body may come: a peer that contradicts itself cannot be followed.
  const announced = found.framing(isHttp10);
  const isPersistent = isHttp10 ? found.keepsAlive && !found.closes : !found.closes;
  return new Http1ResponseHead(text, {
    status,
    framing: isBodiless ? noBody : announced,
    isKeptAlive: isPersistent && (isBodiless || announced.kind !== "untilClose"),
    idleMs: found.idleMs,
    setsCookie: found.setsCookie,
  });
}

const statusTextAt = "HTTP/1.1 200 ".length;

/** Matches the beginning of a status line. */
const example = "HTTP/1.1 200 ";

/** Returns true if these bytes may be the beginning of a head. */
export function mayBegin(text: string): boolean {
  const first = text.slice(0, example.length);
  return /^HTTP\/1\.[01] [1-9]\d\d[ \r]$/.test(first + example.slice(first.length));
}

/** A head's first bytes up to the first digit of its status. */
export const decidingBytes = 10;

/** True for a head that begins with these bytes, `decidingBytes` at least, where it is an interim one. */
export function beginsInterim(bytes: Buffer): boolean {
  return bytes[8] === 0x20 && bytes[9] === 0x31;
}

/** Returns true for bytes that cannot be part of a head. */
export function isForbidden(text: string): boolean {
  return /[^\r]\n|\0|\r[^\n]/.test(text);
}
