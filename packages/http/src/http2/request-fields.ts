import type { WireRequest } from "../transport/transport.ts";
import { announcedLength } from "../transport/wire-body.ts";
import { RequestFault } from "../request/request-fault.ts";

/** Headers of a connection, not of a request: HTTP/2 forbids them (RFC 9113, section 8.2.2). */
const connectionSpecific = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
  "host",
]);

/**
 * Servers accept far less. With undici, nghttp2 writes the fields: its limit is 64 KiB, applied to an upper
 * estimate of their size.
 */
const longestFields = 60_000;
const overheadOfField = 12;

/** The header fields of constant requests, which all connections of a worker share. */
const keptFields = new WeakMap<WireRequest, readonly string[]>();

/**
 * Returns the header fields of a request, names and values in turn (RFC 9113, section 8.3).
 * @throws {RequestFault}
 */
export function requestFields(request: WireRequest): readonly string[] {
  const kept = request.isConstant ? keptFields.get(request) : undefined;
  if (kept !== undefined) return kept;
  const fields = writeFields(request);
  if (request.isConstant) keptFields.set(request, fields);
  return fields;
}

function writeFields(request: WireRequest): string[] {
  const { method, origin, path, headers } = request;
  let authority = origin.text.slice(origin.isSecure ? 8 : 7);
  let hasLength = false;
  const given: string[] = [];
  for (let position = 0; position + 1 < headers.length; position += 2) {
    const name = (headers[position] ?? "").toLowerCase();
    const value = headers[position + 1] ?? "";
    if (name === "host") authority = value;
    if (connectionSpecific.has(name) || (name === "te" && value !== "trailers")) continue;
    if (name === "content-length") hasLength = true;
    given.push(name, value);
  }
  const length = hasLength ? null : announcedLength(method, request.body);
  if (length !== null) given.push("content-length", String(length));
  const scheme = origin.isSecure ? "https" : "http";
  // The order that browsers use: some firewalls check it.
  const fields = [":method", method, ":authority", authority, ":scheme", scheme, ":path", path, ...given];
  refuseUnwritable(fields);
  return fields;
}

/** A field name (RFC 9110, section 5.6.2), in lower case as HTTP/2 requires. */
const fieldName = /^:?[!#$%&'*+\-.^_`|~\da-z]+$/;

/** Rejects fields for which a peer would close the connection; node:http2 would even end the process. */
function refuseUnwritable(fields: readonly string[]): void {
  let length = 0;
  for (const [position, part] of fields.entries()) {
    if (part.includes("\0") || part.includes("\r") || part.includes("\n")) {
      // The value may be a secret.
      const name = JSON.stringify(fields[position - (position % 2)]);
      throw new RequestFault("INVALID_REQUEST", `The header ${name} contains a line break or NUL.`);
    }
    if (position % 2 === 0 && !fieldName.test(part)) {
      throw new RequestFault("INVALID_REQUEST", `${JSON.stringify(part)} is not the name of a header.`);
    }
    length += part.length + overheadOfField / 2;
  }
  if (length > longestFields) {
    throw new RequestFault(
      "INVALID_REQUEST",
      `Request headers on HTTP/2 are limited to about ${longestFields} bytes, but these take ${length}.`,
    );
  }
}
