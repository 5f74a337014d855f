import { type ErrorHeader, findErrorHeader } from "../../src/transport/error-header.ts";
import type { ResponseHead } from "../../src/transport/transport.ts";
import { responseLimits } from "../../src/http2/response-fields.ts";

const overheadOfField = 32;

/** Returns true for a head over the limits. node:http2 checks as well, once the server has acknowledged the limit. */
export function exceedLimits(fields: readonly string[]): boolean {
  let bytes = (fields.length / 2) * overheadOfField;
  for (const part of fields) bytes += part.length;
  return bytes > responseLimits.bytes || fields.length > 2 * responseLimits.fields;
}

/** The head of a response as node:http2 gives it. */
export class NodeResponseHead implements ResponseHead {
  readonly status: number;
  readonly statusText = "";
  readonly #fields: readonly string[];

  /** Names and values in turn, pseudo-headers among them, which come first. */
  constructor(status: number, fields: readonly string[]) {
    this.status = status;
    this.#fields = fields;
  }

  get setsCookie(): boolean {
    return this.#fields.includes("set-cookie");
  }

  get errorHeader(): ErrorHeader | null {
    return findErrorHeader(this.#fields);
  }

  rawHeaders(): readonly string[] {
    const { length } = this.#fields;
    let first = 0;
    while (first < length && this.#fields[first]?.startsWith(":") === true) first += 2;
    return this.#fields.slice(first);
  }

  /** The declared length of the response; null if it declares none that can be checked. */
  get contentLength(): number | null {
    const position = this.#fields.indexOf("content-length");
    const length = position < 0 ? Number.NaN : Number(this.#fields[position + 1]);
    return Number.isInteger(length) ? length : null;
  }
}
