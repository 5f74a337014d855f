import type { ResponseHead } from "../../src/transport/transport.ts";
import type { KnownHead } from "../../src/http1/response-head.ts";
import { TransportFailure } from "../../src/failures/transport-failure.ts";
import { ResponseParser } from "../../src/http1/response-parser.ts";
import { shown } from "../../../cli/test/shown.ts";

/** The outcome of reading bytes as one response. */
export interface ReadResponse {
  readonly status: number | null;
  readonly headers: readonly string[];
  readonly body: string;
  readonly isComplete: boolean;
  /** The number of bytes that belonged to the response. */
  readonly taken: number;
}

export interface ReadOptions {
  readonly method?: string;
  /** The positions at which the bytes are cut. */
  readonly cuts?: readonly number[];
  /** True if the peer ends the connection after the bytes. */
  readonly ends?: boolean;
  /** The cache of an earlier head. */
  readonly known?: KnownHead;
}

/** Reads bytes, one character each, as the response to a request, until it is complete. */
export function readResponse(
  text: string,
  { method = "GET", cuts = [], ends = false, known }: ReadOptions = {},
): ReadResponse {
  let head: ResponseHead | null = null;
  let body = "";
  let taken = 0;
  const parser = new ResponseParser({
    onFirstBytes: () => {},
    onBegin: () => {},
    onInterim: () => {},
    onHead: (found) => {
      head = found;
    },
    onBody: (chunk) => {
      body += Buffer.from(chunk).toString("latin1");
    },
  });
  parser.expect(method, known);
  const bytes = Buffer.from(text, "latin1");
  const positions = [...new Set([0, ...cuts, bytes.length])].sort((a, b) => a - b);
  for (const [index, end] of positions.slice(1).entries()) {
    const piece = Buffer.from(bytes.subarray(positions[index], end));
    const consumed = parser.feed(piece);
    // The parser may use the memory only during the call: everything it keeps must have been copied.
    piece.fill(0x21);
    taken += consumed;
    if (consumed < piece.length) break;
  }
  const isComplete = ends ? parser.end() : parser.isComplete;
  return { ...factsOf(head), body, isComplete, taken };
}

function factsOf(head: ResponseHead | null): Pick<ReadResponse, "status" | "headers"> {
  return { status: head?.status ?? null, headers: head?.rawHeaders() ?? [] };
}

/** Returns the reason why bytes are refused; throws if they are not. */
export function refusal(
  text: string,
  options: ReadOptions = {},
): TransportFailure["info"] & { readonly reason: string } {
  try {
    readResponse(text, options);
  } catch (error) {
    if (error instanceof TransportFailure) return { ...error.info, reason: shown(error.info.reason) };
    throw error;
  }
  throw new Error("it was not refused");
}

/** Returns cuts between all bytes. */
export function everywhere(text: string): readonly number[] {
  return Array.from({ length: text.length }, (_, index) => index);
}
