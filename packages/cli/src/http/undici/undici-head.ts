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

  constructor(status: number, statusText: string, found: RawHeaders) {
    this.status = status;
    this.statusText = statusText;
    this.#found = found;
    this.setsCookie = found.some(
      (name, at) =>
        at % 2 === 0 && name.length === 10 && name.toString("latin1").toLowerCase() === "set-cookie",
    );
  }

  rawHeaders(): readonly string[] {
    if (this.#texts !== null) return this.#texts;
    this.#texts = this.#found.map((text) => (typeof text === "string" ? text : text.toString("latin1")));
    this.#found = [];
    return this.#texts;
  }
}
