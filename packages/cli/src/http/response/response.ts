import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";

import { BodyUnavailableError, type HttpErrorInfo, type Response, type Timings } from "@bearhug/sdk";

import type { Mask } from "../../secret-mask.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { requestPhases } from "../exchange/phases.ts";
import { RawResponseHeaders } from "./response-headers.ts";

/** Decompressed bodies up to here are readable: what a few kilobytes may blow up to is the sender's choice. */
const maxDecodedBytes = 64 * 1024 * 1024;

/** What is quoted of a body in an error; secrets are masked first, in a longer piece, so that none is cut in two. */
const quoted = 60;
const quotedFrom = 10_000;

/** What a test sees of an exchange. Everything is decoded when it is read, and only then. */
export class ExchangeResponse implements Response {
  readonly #exchange: Exchange;
  readonly #mask: Mask;
  readonly status: number;
  readonly error: HttpErrorInfo | null;
  #headers: RawResponseHeaders | null = null;
  #bytes: Uint8Array | null = null;
  #text: string | null = null;

  constructor(exchange: Exchange, mask: Mask) {
    this.#exchange = exchange;
    this.#mask = mask;
    this.status = exchange.status;
    this.error = exchange.error;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get url(): string {
    return this.#exchange.endpoint.url.href;
  }

  get headers(): RawResponseHeaders {
    return (this.#headers ??= new RawResponseHeaders(this.#exchange.rawHeaders));
  }

  get cookies(): ReadonlyMap<string, string> {
    const cookies = new Map<string, string>();
    for (const line of this.headers.getAll("set-cookie")) {
      const [pair = ""] = line.split(";", 1);
      const equals = pair.indexOf("=");
      if (equals > 0) cookies.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim());
    }
    return cookies;
  }

  get timings(): Timings {
    return requestPhases(this.#exchange, this.#exchange.connection);
  }

  get size(): Response["size"] {
    const { bytesSent, bytesReceived, bodyBytes } = this.#exchange;
    return { sent: bytesSent, received: bytesReceived, body: bodyBytes };
  }

  get protocol(): string {
    return this.status === 0 ? "" : "HTTP/1.1";
  }

  bytes(): Uint8Array {
    return (this.#bytes ??= this.#decode());
  }

  text(): string {
    return (this.#text ??= new TextDecoder(this.#charset()).decode(this.bytes()));
  }

  json<T = unknown>(): T {
    const text = this.text();
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      const start =
        text.length === 0
          ? "an empty body"
          : JSON.stringify(this.#mask(text.slice(0, quotedFrom)).slice(0, quoted));
      throw new SyntaxError(
        `${this.url} (status ${this.status}) did not answer with JSON but with ${start}`,
        { cause },
      );
    }
  }

  #charset(): string {
    const named = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(this.headers.get("content-type") ?? "")?.[1];
    try {
      return new TextDecoder(named ?? "utf-8").encoding;
    } catch {
      return "utf-8";
    }
  }

  #decode(): Uint8Array {
    const { body, bodyBytes } = this.#exchange;
    if (body === null) {
      throw new BodyUnavailableError(`${this.url} sent ${bodyBytes} bytes, and bodies are kept to 10 MiB`);
    }
    const [only] = body;
    const wire = body.length === 1 && only !== undefined ? only : Buffer.concat(body);
    const encodings = (this.headers.get("content-encoding") ?? "").toLowerCase().split(",");
    try {
      return encodings.reduceRight<Uint8Array>((bytes, encoding) => decompress(bytes, encoding.trim()), wire);
    } catch (cause) {
      throw new BodyUnavailableError(
        `${this.url} sent content-encoding ${encodings.join(",")} that cannot be decompressed`,
        {
          cause,
        },
      );
    }
  }
}

function decompress(bytes: Uint8Array, encoding: string): Uint8Array {
  if (bytes.length === 0) return bytes;
  const options = { maxOutputLength: maxDecodedBytes };
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return gunzipSync(bytes, options);
    case "deflate":
      return inflateSync(bytes, options);
    case "br":
      return brotliDecompressSync(bytes, options);
    case "zstd":
      return zstdDecompressSync(bytes, options);
    default:
      return bytes;
  }
}
