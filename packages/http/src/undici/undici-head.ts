import type { Dispatcher } from "undici";

import {
  type ErrorHeader,
  errorHeaderNames,
  findErrorHeader,
  readErrorHeader,
} from "../transport/error-header.ts";
import type { ResponseHead } from "../transport/transport.ts";

type RawHeaders = readonly (Buffer | string)[];
type FieldsByName = Readonly<Record<string, string | string[] | undefined>>;
type GivenHeaders = Dispatcher.DispatchController["rawHeaders"];

/** The head of a response as undici's parser found it. */
export class UndiciResponseHead implements ResponseHead {
  readonly status: number;
  readonly statusText: string;
  readonly setsCookie: boolean;
  readonly errorHeader: ErrorHeader | null;
  /** In undici's form until first use: views of the bytes read, or on HTTP/2 the fields by name. */
  #given: GivenHeaders;
  #texts: readonly string[] | null = null;

  constructor(status: number, statusText: string, given: GivenHeaders) {
    this.status = status;
    this.statusText = statusText;
    this.#given = given;
    this.setsCookie = Array.isArray(given) ? hasSetCookie(given) : given?.["set-cookie"] !== undefined;
    this.errorHeader = Array.isArray(given) ? findErrorHeader(given) : errorHeaderIn(given ?? {});
  }

  /** The announced `content-length`, used on HTTP/2; null without one. */
  get contentLength(): number | null {
    const headers = this.rawHeaders();
    const at = headers.findIndex((name, index) => index % 2 === 0 && name === "content-length");
    return at === -1 ? null : Number(headers[at + 1]);
  }

  rawHeaders(): readonly string[] {
    if (this.#texts !== null) return this.#texts;
    this.#texts = rawFieldsOf(this.#given).map((text) =>
      typeof text === "string" ? text : text.toString("latin1"),
    );
    this.#given = [];
    return this.#texts;
  }
}

function errorHeaderIn(fields: FieldsByName): ErrorHeader | null {
  for (const name of errorHeaderNames) {
    const value = fields[name];
    const found = typeof value === "string" ? readErrorHeader(name, value) : null;
    if (found !== null) return found;
  }
  return null;
}

function hasSetCookie(headers: RawHeaders): boolean {
  return headers.some(
    (name, at) =>
      at % 2 === 0 && name.length === 10 && name.toString("latin1").toLowerCase() === "set-cookie",
  );
}

/** Returns names and values in turn, of a head or of trailers. */
export function rawFieldsOf(given: GivenHeaders): RawHeaders {
  return Array.isArray(given) ? given : fieldsOf(given ?? {});
}

/** Lists HTTP/2 fields. undici has them by name: repeated ones joined, `set-cookie` as an array. */
function fieldsOf(headers: FieldsByName): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((one) => [name, one]),
  );
}
