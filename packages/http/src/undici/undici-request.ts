import { Readable } from "node:stream";

import type { Clock } from "@bearhug/plan/pacing/clock";
import { readThrown } from "@bearhug/plan/protocol/read-thrown";
import type { Dispatcher } from "undici";

import type { WireRequest } from "../transport/transport.ts";
import { TransportFailure } from "../failures/transport-failure.ts";
import { inPieces, isLarge, type RequestBody, type StreamedBody } from "../transport/wire-body.ts";
import { requestFields } from "../http2/request-fields.ts";
import type { UndiciConnection } from "./undici-client.ts";

/** Options of undici's that its types leave out. */
interface UndiciRequest extends Dispatcher.DispatchOptions {
  /** Constant for a connection: for another name undici would open another. */
  readonly servername: string;
}

/** A request as undici takes it. `isLast`: no other is to follow on the connection. */
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
    // Not left to undici, which closes after HEAD, and after a body where the method has none by meaning.
    reset: isLast,
    // The pool keeps requests apart. A connection that blocks after HEAD would stay blocked: undici
    // unblocks it only before a body.
    blocking: false,
    servername: origin.host,
  };
}

function addUnlessGiven(headers: string[], name: string, value: string): void {
  if (!headers.some((text, at) => at % 2 === 0 && text.toLowerCase() === name)) headers.push(name, value);
}

/** The pseudo-headers, names and values: undici writes them itself. */
const pseudoFields = 8;

/** A request as undici takes it for HTTP/2. @throws {RequestFault} */
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

/** A body that is handed to undici piece by piece, so that it shows when it was sent. */
function streamOf(body: RequestBody | null): StreamedBody | null {
  if (body instanceof Uint8Array) return isLarge(body) ? inPieces(body) : null;
  return body;
}

function bytesOf(body: RequestBody | null): Uint8Array | null {
  return body instanceof Uint8Array ? body : null;
}

function readStream(body: StreamedBody, clock: Clock): Readable {
  // An error is undici's to tell; it may come when nobody listens any more.
  return Readable.from(pieces(body, clock), { objectMode: false, highWaterMark: 1 }).on(
    "error",
    () => undefined,
  );
}

async function* pieces(body: StreamedBody, clock: Clock): AsyncGenerator<Uint8Array> {
  try {
    yield* body.open();
  } catch (error) {
    // A stream of node:http2's that ends in the turn of its first bytes has a new session write empty frames for ever.
    await new Promise<void>((resolve) => {
      clock.nextTurn(resolve);
    });
    throw new TransportFailure({ kind: "requestBody", reason: readThrown(error).reason });
  }
}
