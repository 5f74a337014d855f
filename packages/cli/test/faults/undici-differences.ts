import type { FaultRow, Outcome } from "./fault-row.ts";
import { shortTimeout } from "./fault-row.ts";

/** The outcome of a fault over `transport: "undici"`, which differs from that over the engine's own. */
export interface UndiciDifference extends Partial<Pick<FaultRow, "request" | "next">> {
  readonly outcome: Outcome;
  /** The reason that the documentation gives. */
  readonly why: string;
}

const accepted = (why: string): UndiciDifference => ({
  outcome: { code: null, status: 200 },
  // The server sends nothing more on this connection.
  next: null,
  why,
});

const continued: UndiciDifference = {
  outcome: { code: "MALFORMED_RESPONSE", phase: "receiving", status: 0, says: "status 100" },
  // The server sends this status on each connection.
  next: null,
  why: "undici takes `100 Continue` for an error",
};

const surplus = (status: number): UndiciDifference => ({
  outcome: { code: null, status, errors: [] },
  why: "undici only closes the connection",
});

/** By the fault's name. */
export const undiciDifferences: ReadonlyMap<string, UndiciDifference> = new Map([
  [
    "a head that drips",
    {
      outcome: { code: "RESPONSE_TIMEOUT", phase: "waiting", status: 0 },
      why: "undici reports a response when its head is complete",
    },
  ],
  [
    "a status below 100",
    {
      outcome: { code: "MALFORMED_RESPONSE", phase: "waiting", status: 0 },
      why: "undici reports no beginning of this response",
    },
  ],
  [
    "an endless chunk size",
    {
      request: { timeout: shortTimeout },
      outcome: { code: "RESPONSE_TIMEOUT", phase: "receiving", status: 0 },
      why: "undici has no limit for leading zeros",
    },
  ],
  ["an empty line before the status line", accepted("undici skips it, as RFC 9112 allows")],
  ["another transfer coding", accepted("undici only asks that the last coding is `chunked`")],
  ["chunks in HTTP/1.0", accepted("undici takes chunks from any version")],
  ["an escape sequence in the status line", accepted("undici takes any character there")],
  [
    "25 interim responses",
    {
      request: { timeout: shortTimeout },
      outcome: { code: "RESPONSE_TIMEOUT", phase: "waiting", status: 0 },
      why: "undici has no limit for interim responses, and waits for the final one",
    },
  ],
  ["100 Continue that nobody asked for", continued],
  ["all kinds of interim answers", continued],
  [
    "a length that is given twice",
    {
      outcome: { code: "MALFORMED_RESPONSE", phase: "receiving", status: 0 },
      next: "newConnection",
      why: "undici accepts a length only once",
    },
  ],
  ["a body after HEAD", surplus(200)],
  ["a body after 204", surplus(204)],
  ["a body after 304", surplus(304)],
  ["a body longer than its length", surplus(200)],
  ["two answers to one request", surplus(200)],
]);

/** Returns a fault as `transport: "undici"` meets it. Its parser words its own reasons. */
export function withUndici(row: FaultRow): FaultRow {
  const { says: _ofOurParser, ...malformed } = row.outcome;
  const outcome = row.outcome.code === "MALFORMED_RESPONSE" ? malformed : row.outcome;
  return { ...row, outcome, ...undiciDifferences.get(row.name) };
}
