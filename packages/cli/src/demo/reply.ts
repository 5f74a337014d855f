import { gzipSync } from "node:zlib";

/** A route's reply, which `handle-request.ts` sends. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body. A generator is sent in chunks, without a content-length, and stops when the signal aborts. */
  readonly body: Buffer | ((signal: AbortSignal) => AsyncIterable<string>);
  /** The same body, for clients that accept gzip. */
  readonly gzipped?: Buffer;
}

/** Below this many bytes, gzip saves less than its header costs. */
const minBytesToCompress = 512;

const htmlHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'self'",
};

export function html(text: string, status = 200): Reply {
  return { status, headers: htmlHeaders, body: Buffer.from(text) };
}

export function json(value: unknown, status = 200): Reply {
  const headers = { "content-type": "application/json; charset=utf-8" };
  return { status, headers, body: Buffer.from(`${JSON.stringify(value)}\n`) };
}

/** Returns an error of the JSON API. */
export function refusal(status: number, error: string): Reply {
  return json({ error }, status);
}

export function text(body: string, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", ...headers },
    body: Buffer.from(body),
  };
}

export function redirect(location: string): Reply {
  return text(`See ${location}\n`, 302, { location });
}

/** Redirects after an accepted form (303), so that reloading does not send it again. */
export function seeOther(location: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return text(`See ${location}\n`, 303, { location, ...headers });
}

/** Returns a page for one visitor, which must not be cached. */
export function privateHtml(
  body: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const reply = html(body, status);
  return { ...reply, headers: { ...reply.headers, "cache-control": "no-store", ...headers } };
}

export function file(contentType: string, body: Buffer | string): Reply {
  return {
    status: 200,
    headers: { "content-type": contentType, "cache-control": "max-age=60" },
    body: Buffer.from(body),
  };
}

/** Compresses a reply once that will be sent many times. Not for images, which are already compressed. */
export function compressed(reply: Reply): Reply {
  if (!Buffer.isBuffer(reply.body) || reply.body.length < minBytesToCompress) return reply;
  return { ...reply, gzipped: gzipSync(reply.body) };
}
