import {
  BodyUnavailableError,
  type ConnectionInfo,
  type HttpErrorInfo,
  type Response,
  type Timings,
} from "@bearhug/sdk";
import { quotedText } from "@bearhug/text/foreign-text";
import type { Mask } from "@bearhug/text/secret-mask";

import { explainNames, k6NamesOfResponse } from "./k6-names.ts";
import { charsetOf, decodeBody, DecodingFailure } from "./decode-body.ts";
import { RawResponseHeaders } from "./response-headers.ts";
import { inOwnMemory, SharedBody, type ReceivedBody } from "./shared-body.ts";

/** The length to which an error quotes a body. */
const quotedCharacters = 60;

/** The result of an exchange, or of the cache. */
export interface ReceivedResponse {
  /** The address that responded. */
  readonly url: string;
  /** 0 if no response arrived. */
  readonly status: number;
  readonly error: HttpErrorInfo | null;
  /** Empty if no response arrived. */
  readonly protocol: string;
  /** Name, value, name, value, … as received, each character one byte. */
  readonly rawHeaders: readonly string[];
  /** As received, before decoding; null if it was not kept. */
  readonly body: ReceivedBody | null;
  readonly whyNoBody: "discarded" | "tooLong" | "noRoom" | null;
  /** The size of the received body, kept or not. */
  readonly bodyBytes: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  timings(): Timings;
  /** Null if nothing was sent. */
  connectionInfo(): ConnectionInfo | null;
  readonly fromCache: boolean;
}

/** The response that a test sees. Each part is decoded when it is first read. */
export class ExchangeResponse implements Response {
  readonly #received: ReceivedResponse;
  readonly #mask: Mask;
  readonly status: number;
  readonly error: HttpErrorInfo | null;
  readonly redirected: boolean;
  #headers: RawResponseHeaders | null = null;
  #bytes: Uint8Array | null = null;
  #text: string | null = null;
  /** The decoded size of a shared body, once its text was read. */
  #sharedBytes: number | null = null;

  /** `fault`: the error of a response that is itself complete. */
  constructor(
    received: ReceivedResponse,
    mask: Mask,
    fault: HttpErrorInfo | null = null,
    redirected = false,
  ) {
    this.#received = received;
    this.#mask = mask;
    this.status = received.status;
    this.error = received.error ?? fault;
    this.redirected = redirected;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  get url(): string {
    return this.#received.url;
  }

  get headers(): RawResponseHeaders {
    return (this.#headers ??= new RawResponseHeaders(this.#received.rawHeaders));
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
    return this.#received.timings();
  }

  get size(): Response["size"] {
    const { bytesSent, bytesReceived, bodyBytes } = this.#received;
    return {
      sent: bytesSent,
      received: bytesReceived,
      body: bodyBytes,
      decoded: this.#bytes?.length ?? this.#sharedBytes,
    };
  }

  get protocol(): string {
    return this.#received.protocol;
  }

  get connection(): ConnectionInfo | null {
    return this.#received.connectionInfo();
  }

  get fromCache(): boolean {
    return this.#received.fromCache;
  }

  bytes(): Uint8Array {
    return (this.#bytes ??= this.#ownBytes());
  }

  text(): string {
    return (this.#text ??= this.#readText());
  }

  json<T = unknown>(): T {
    const text = this.text();
    const parsed = parseJson(text);
    if (parsed.isJson) return parsed.value as T;
    const what =
      text === ""
        ? "an empty body"
        : `${quotedText(text, quotedCharacters).masked(this.#mask)}${parsed.where}`;
    throw new SyntaxError(`${this.url} (status ${this.status}) did not respond with JSON but with ${what}`);
  }

  /** Decodes the text; from `bytes()` if the test has read them, because it may have changed them. */
  #readText(): string {
    const body = this.#kept();
    const contentType = this.headers.get("content-type") ?? "";
    if (this.#bytes !== null || !(body instanceof SharedBody)) {
      const bytes = this.bytes();
      return new TextDecoder(charsetOf(bytes, contentType)).decode(bytes);
    }
    const { text, decodedBytes } = this.#decode(() => body.readText(this.#encoding(), contentType));
    this.#sharedBytes = decodedBytes;
    return text;
  }

  #ownBytes(): Uint8Array {
    const body = this.#kept();
    return this.#decode(() =>
      body instanceof SharedBody
        ? body.copyDecoded(this.#encoding())
        : inOwnMemory([decodeBody(inOwnMemory(body), this.#encoding())]),
    );
  }

  #encoding(): string {
    return this.headers.get("content-encoding") ?? "";
  }

  #kept(): ReceivedBody {
    const { body } = this.#received;
    if (body === null) throw new BodyUnavailableError(this.#whyNoBody());
    return body;
  }

  #decode<T>(decode: () => T): T {
    try {
      return decode();
    } catch (cause) {
      if (!(cause instanceof DecodingFailure)) throw cause;
      throw new BodyUnavailableError(`what ${this.url} sent ${cause.message}`, { cause });
    }
  }

  #whyNoBody(): string {
    const { whyNoBody, bodyBytes } = this.#received;
    const sent = `${this.url} sent ${bodyBytes} bytes`;
    switch (whyNoBody) {
      case "discarded":
        return `${sent}, but discardBodies dropped them: set discardBodies: false on this request to keep them`;
      case "noRoom":
        return `${sent}, which were not kept: ${bodiesTakeTooMuch}`;
      case "tooLong":
      case null:
        return `${sent}, but only bodies up to 10 MiB are kept`;
    }
  }
}

explainNames(ExchangeResponse.prototype, "response", k6NamesOfResponse);

/** The end of the error for a body that was not kept for lack of room, and a warning once per worker. */
export const bodiesTakeTooMuch =
  "the bodies of running iterations take more than 256 MiB in this worker. Set discardBodies: true on requests whose bodies are not read, or use fewer virtual users";

type ParsedJson =
  | { readonly isJson: true; readonly value: unknown }
  | { readonly isJson: false; readonly where: string };

/** Parses JSON. Drops the parser's message, which quotes the text with its secrets and control characters. */
function parseJson(text: string): ParsedJson {
  try {
    return { isJson: true, value: JSON.parse(text) };
  } catch (error) {
    return { isJson: false, where: whereBroken(error instanceof Error ? error.message : "") };
  }
}

/** Returns the position of the error, as far as the parser reports it without a quote. */
function whereBroken(message: string): string {
  const position = / at position (\d+)/.exec(message)?.[1];
  if (position !== undefined && position !== "0") return `, wrong at character ${Number(position) + 1}`;
  return message.includes("Unexpected end of JSON") ? ", which ends too early" : "";
}
