import type { WireRequest } from "../transport/transport.ts";
import { announcedLength } from "../transport/wire-body.ts";
import { asksToClose } from "./response-head.ts";

/** The parts of a head that depend on the connection, not on the request. */
export interface HeadOptions {
  /** To a proxy that forwards: the address in full, and who asks. */
  readonly proxy: { readonly authorization: string | null } | null;
  /** No other request is to follow on the connection. */
  readonly isLast: boolean;
}

export interface RequestHead {
  /** One character a byte. */
  readonly text: string;
  /** It says that it is the last on its connection, because it is or because the test says so: then nothing may follow. */
  readonly closes: boolean;
}

/** The line and headers that begin a request, as they are written (RFC 9112, section 3). */
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
    if (lower === "connection") closes ||= asksToClose(value);
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
