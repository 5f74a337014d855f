import type { ResponseHead } from "../transport/transport.ts";
import { TransportFailure } from "../failures/transport-failure.ts";

/** The limits of a response's head, in bytes (name, value and 32 for each field) and in fields. */
export const responseLimits: { readonly bytes: number; readonly fields: number } = {
  bytes: 64 * 1024,
  fields: 256,
};

const overheadOfField = 32;

/** Returns true for a head over the limits. node:http2 checks as well, once the server has acknowledged the limit. */
export function exceedLimits(fields: readonly string[]): boolean {
  let bytes = (fields.length / 2) * overheadOfField;
  for (const part of fields) bytes += part.length;
  return bytes > responseLimits.bytes || fields.length > 2 * responseLimits.fields;
}

/** Why a response with too many is not read. */
export function headersTooLarge(): TransportFailure {
  const { bytes, fields } = responseLimits;
  const reason = `the response has more than ${bytes} bytes or ${fields} fields of headers`;
  return new TransportFailure({ kind: "headersTooLarge", reason });
}

/** The head of a response as node:http2 gives it. */
export class Http2ResponseHead implements ResponseHead {
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
