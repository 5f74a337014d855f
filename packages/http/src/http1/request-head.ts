import type { WireRequest } from "../transport/transport.ts";
import { announcedLength } from "../transport/wire-body.ts";
import { announcesClose } from "./response-head.ts";

/** The parts of a head that depend on the connection, not on the request. */
export interface HeadOptions {
  /** Set for a forwarding proxy: the head then has the full address, and credentials if there are any. */
  readonly proxy: { readonly authorization: string | null } | null;
  /** True if no other request follows on the connection. */
  readonly isLast: boolean;
}

export interface RequestHead {
  /** One character per byte. */
  readonly text: string;
  /** True if the head announces the close of the connection, by itself or by a header of the test. */
  readonly closes: boolean;
}

/** Formats the request line and headers (RFC 9112, section 3). */
export function formatRequestHead(request: WireRequest, { proxy, isLast }: HeadOptions): RequestHead {
  const { method, origin, path, headers } = request;
  let lines = "";
  let closes = isLast;
  const given = new Set<string>();
  for (let position = 0; position + 1 < headers.length; position += 2) {
    const name = headers[position] ?? "";
    const value = headers[position + 1] ?? "";
    const lower = name.toLowerCase();
    given.add(lower);
    if (lower === "connection") closes ||= announcesClose(value);
    lines += `${name}: ${value}\r\n`;
  }
  const host = given.has("host") ? "" : `host: ${origin.text.slice(origin.isSecure ? 8 : 7)}\r\n`;
  const connection = given.has("connection") ? "" : `connection: ${isLast ? "close" : "keep-alive"}\r\n`;
  const credentials = given.has("proxy-authorization") ? null : (proxy?.authorization ?? null);
  const authorization = credentials === null ? "" : `proxy-authorization: ${credentials}\r\n`;
  const target = proxy === null ? path : origin.text + path;
  const framed = framing(request, given);
  const text = `${method} ${target} HTTP/1.1\r\n${host}${connection}${authorization}${lines}${framed}\r\n`;
  return { text, closes };
}

function framing({ method, body }: WireRequest, given: ReadonlySet<string>): string {
  if (given.has("content-length")) return "";
  const length = announcedLength(method, body);
  if (length !== null) return `content-length: ${length}\r\n`;
  return body === null ? "" : "transfer-encoding: chunked\r\n";
}
