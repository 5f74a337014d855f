import { Readable } from "node:stream";

import type { Clock } from "@bearhug/plan/pacing/clock";
import { readThrown } from "@bearhug/plan/protocol/read-thrown";
import type { Dispatcher } from "undici";

import type { WireRequest } from "../transport/transport.ts";
import { TransportFailure } from "../failures/transport-failure.ts";
import { inPieces, isLarge, type RequestBody, type StreamedBody } from "../transport/wire-body.ts";
import { requestFields } from "../http2/request-fields.ts";
import type { UndiciConnection } from "./undici-client.ts";

/** Options of undici, including one missing in its types. */
interface UndiciRequest extends Dispatcher.DispatchOptions {
  /** Constant for a connection: for a different name, undici would open another connection. */
  readonly servername: string;
}

/** Converts a request to undici's options. `isLast`: no other request follows on the connection. */
export function undiciRequest(
  { method, origin, path, headers, body }: WireRequest,
  { proxy, clock }: Pick<UndiciConnection, "proxy" | "clock">,
  isLast: boolean,
): UndiciRequest {
  const authorization = proxy?.authorization ?? null;
  const streamed = streamOf(body);
  const length = streamed?.length ?? null;
  const given = [...headers];
  if (authorization !== null) addUnlessGiven(given, "proxy-authorization", authorization);
  if (length !== null) addUnlessGiven(given, "content-length", String(length));
  return {
    method,
    path: proxy === null ? path : origin.text + path,
    headers: given,
    body: streamed === null ? bytesOf(body) : readStream(streamed, clock),
    // Set explicitly: by default undici closes after HEAD, and after a body with a method that defines none.
    reset: isLast,
    // The pool already serializes requests. A connection that blocks after HEAD would stay blocked, because
    // undici only unblocks it before a body.
    blocking: false,
    servername: origin.host,
  };
}

function addUnlessGiven(headers: string[], name: string, value: string): void {
  if (!headers.some((text, at) => at % 2 === 0 && text.toLowerCase() === name)) headers.push(name, value);
}

/** The number of names and values of pseudo-headers, which undici writes itself. */
const pseudoFields = 8;

/** Converts a request to undici's options for HTTP/2. @throws {RequestFault} */
export function undiciHttp2Request(request: WireRequest, clock: Clock): UndiciRequest {
  const { method, origin, path, body } = request;
  const fields = requestFields(request);
  const authority = fields[3] ?? origin.text;
  const streamed = streamOf(body);
  return {
    method,
    path,
    headers: ["host", authority, ...fields.slice(pseudoFields)],
    body: streamed === null ? bytesOf(body) : readStream(streamed, clock),
    servername: origin.host,
  };
}

/** Returns a body to read in pieces, which shows when it was sent; null for a small one in memory. */
function streamOf(body: RequestBody | null): StreamedBody | null {
  if (body instanceof Uint8Array) return isLarge(body) ? inPieces(body) : null;
  return body;
}

function bytesOf(body: RequestBody | null): Uint8Array | null {
  return body instanceof Uint8Array ? body : null;
}

function readStream(body: StreamedBody, clock: Clock): Readable {
  // undici reports errors itself. This listener catches one that occurs after undici has removed its own.
  return Readable.from(pieces(body, clock), { objectMode: false, highWaterMark: 1 }).on(
    "error",
    () => undefined,
  );
}

async function* pieces(body: StreamedBody, clock: Clock): AsyncGenerator<Uint8Array> {
  try {
    yield* body.open();
  } catch (error) {
    // If a node:http2 stream ends in the turn of its first bytes, a new session writes empty frames forever.
    await new Promise<void>((resolve) => {
      clock.nextTurn(resolve);
    });
    throw new TransportFailure({ kind: "requestBody", reason: readThrown(error).reason });
  }
}
