import { quotedText, foreignSentence, type ForeignText } from "@bearhug/text/foreign-text";

import { type ErrorHeader, findErrorHeader } from "../transport/error-header.ts";
import type { ResponseHead } from "../transport/transport.ts";

/** The limits of a response's head, in bytes (name, value and 32 for each field) and in fields. */
export const responseLimits: { readonly bytes: number; readonly fields: number } = {
  bytes: 64 * 1024,
  fields: 256,
};

/** The head of a response. Equal blocks of fields share one instance. */
export class Http2ResponseHead implements ResponseHead {
  readonly status: number;
  readonly statusText = "";
  readonly setsCookie: boolean;
  readonly errorHeader: ErrorHeader | null;
  /** The declared length of the body; null without one. */
  readonly contentLength: number | null;
  readonly #fields: readonly string[];

  /** `fields`: names and values in turn, without pseudo-headers. */
  constructor(status: number, fields: readonly string[], contentLength: number | null) {
    this.status = status;
    this.contentLength = contentLength;
    this.setsCookie = fields.includes("set-cookie");
    this.errorHeader = findErrorHeader(fields);
    this.#fields = fields;
  }

  rawHeaders(): readonly string[] {
    return this.#fields;
  }
}

/** A block of fields that a server sent. */
export type ReceivedFields =
  | { readonly kind: "head"; readonly head: Http2ResponseHead }
  | { readonly kind: "trailers"; readonly fields: readonly string[] }
  | { readonly kind: "tooLarge" }
  | { readonly kind: "invalid"; readonly reason: string | ForeignText };

export const tooLarge: ReceivedFields = { kind: "tooLarge" };

/** Validates and interprets a block (names and values in turn) by RFC 9113, sections 8.2 and 8.3. */
export function readFields(fields: readonly string[]): ReceivedFields {
  const hasStatus = fields[0] === ":status";
  const own = hasStatus ? fields.slice(2) : fields;
  const reason = whyInvalid(own);
  if (reason !== null) return { kind: "invalid", reason };
  if (!hasStatus) return { kind: "trailers", fields: own };
  const status = fields[1] ?? "";
  if (!/^[1-9]\d\d$/.test(status)) {
    return { kind: "invalid", reason: "its status is not a number from 100 to 999" };
  }
  const length = lengthIn(own);
  if (Number.isNaN(length)) return { kind: "invalid", reason: "its content-length is not one number" };
  return { kind: "head", head: new Http2ResponseHead(Number(status), own, length) };
}

/** Headers of a connection, not of a response: HTTP/2 forbids them (RFC 9113, section 8.2.2). */
const connectionSpecific: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

const fieldName = /^[!#$%&'*+\-.^_`|~\da-z]+$/;
/** As strict as for HTTP/1.1, but without surrounding spaces, which are not part of the value in HTTP/1.1. */
const fieldValue = /^(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?$/;

function whyInvalid(fields: readonly string[]): string | ForeignText | null {
  for (let position = 0; position + 1 < fields.length; position += 2) {
    const name = fields[position] ?? "";
    if (!fieldName.test(name)) {
      return name.startsWith(":")
        ? "a pseudo-header other than one :status at its beginning"
        : foreignSentence`a field whose name is not valid: ${quotedText(name, longestName)}`;
    }
    if (connectionSpecific.has(name)) return `a field that HTTP/2 forbids: ${name}`;
    if (!fieldValue.test(fields[position + 1] ?? "")) {
      return foreignSentence`a field whose value is not valid: ${quotedText(name, longestName)}`;
    }
  }
  return null;
}

const longestName = 40;

/** Returns the declared length; null without one, NaN if it is not a number or declared twice. */
function lengthIn(fields: readonly string[]): number | null {
  let length: number | null = null;
  for (let position = 0; position + 1 < fields.length; position += 2) {
    if (fields[position] !== "content-length") continue;
    if (length !== null) return Number.NaN;
    const value = fields[position + 1] ?? "";
    length = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  }
  return length;
}
