import type { Dispatcher } from "undici";

import type { ResponseHead } from "../transport/transport.ts";

type RawHeaders = readonly (Buffer | string)[];

/** The head of a response as undici's parser found it. */
export class UndiciResponseHead implements ResponseHead {
  readonly status: number;
  readonly statusText: string;
  readonly setsCookie: boolean;
  /** Views of what was read, until somebody asks for them. */
  #found: RawHeaders;
  #texts: readonly string[] | null = null;

  constructor(status: number, statusText: string, given: Dispatcher.DispatchController["rawHeaders"]) {
    const found = rawFieldsOf(given);
    this.status = status;
    this.statusText = statusText;
    this.#found = found;
    this.setsCookie = found.some(
      (name, at) =>
        at % 2 === 0 && name.length === 10 && name.toString("latin1").toLowerCase() === "set-cookie",
    );
  }

  /** On HTTP/2, of what `content-length` announced; null without one. */
  get contentLength(): number | null {
    const headers = this.rawHeaders();
    const at = headers.findIndex((name, index) => index % 2 === 0 && name === "content-length");
    return at === -1 ? null : Number(headers[at + 1]);
  }

  rawHeaders(): readonly string[] {
    if (this.#texts !== null) return this.#texts;
    this.#texts = this.#found.map((text) => (typeof text === "string" ? text : text.toString("latin1")));
    this.#found = [];
    return this.#texts;
  }
}

/** Names and values in turn, of a head or of trailers. */
export function rawFieldsOf(given: Dispatcher.DispatchController["rawHeaders"]): RawHeaders {
  return Array.isArray(given) ? given : fieldsOf(given ?? {});
}

/** On HTTP/2, undici has the fields by their names: those that came several times in one, `set-cookie` one by one. */
function fieldsOf(headers: Readonly<Record<string, string | string[] | undefined>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((one) => [name, one]),
  );
}
