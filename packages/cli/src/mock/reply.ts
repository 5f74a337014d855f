import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer } from "./answer.ts";

/** An answer on its way to whoever asked. */
export interface Reply {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: Answer;
  /** The `set-cookie` by which a new visitor is known from now on; null for a known one. */
  readonly visitorCookie: string | null;
  /** When the request arrived, by `performance.now()`. */
  readonly arrivedAtMs: number;
}

/**
 * Writes status and headers, which leave with the first bytes of the body. A redirect within the capture leads to the mock,
 * by the name that the client knows it by.
 */
export function sendHead({ request, response, answer, visitorCookie }: Reply): void {
  const { status, headers, location } = answer;
  const { host } = request.headers;
  const base = host === undefined ? "" : `http://${host}`;
  response.writeHead(status, [
    ...headers,
    ...(location === null ? [] : ["location", base + location]),
    ...(visitorCookie === null ? [] : ["set-cookie", visitorCookie]),
  ]);
}
