import * as z from "zod";

import { eachPhase, type RequestPhases } from "../http/timings.ts";
import { amount, count } from "../validation/numbers.ts";
import { once } from "../validation/once.ts";

/** One request with its response, as an example of others. Secrets are masked. */
export interface ExchangeExemplar {
  /** The name that its metrics are grouped by. */
  readonly name: string;
  readonly method: string;
  /** The URL, cut at 256 characters in page visits and at 2,000 in failed exchanges. */
  readonly url: string;
  /** The status of the response; 0 if no response began. */
  readonly status: number;
  /** The code of its error; null if it succeeded. */
  readonly code: string | null;
  /** The version of HTTP, such as `HTTP/1.1`; empty if no response began. */
  readonly protocol: string;
  /** The time of the test's call: from the start of the page visit or, for a failed exchange, of the load. */
  readonly atMs: number;
  /** The phases in ms, as in the metrics `http_req_*`. */
  readonly phases: RequestPhases;
  /** Bytes sent, on the wire. */
  readonly bytesSent: number;
  /** Bytes received, on the wire. */
  readonly bytesReceived: number;
  /** The trace ID of its `traceparent` header, 32 hexadecimal digits; absent without that header. */
  readonly traceId?: string;
}

const visitKinds = ["median", "slow"] as const;

/** An example visit to a page: near the median, or near the 95th percentile. */
export interface PageExemplar {
  readonly page: string;
  readonly scenario: string;
  readonly kind: (typeof visitKinds)[number];
  /** The start of the visit, from the start of the load. */
  readonly atMs: number;
  readonly durationMs: number;
  /** The first 100 exchanges that ended, in the order in which they began. */
  readonly exchanges: readonly ExchangeExemplar[];
  /** The number of further exchanges of the visit. */
  readonly leftOut: number;
}

/** The beginning of a body. */
export interface BodyExcerpt {
  /** At most 512 characters of the decoded body; null if the body is not text or was not kept. */
  readonly text: string | null;
  /** True if `text` is the whole body. */
  readonly isWhole: boolean;
  /** The length of the whole body on the wire; null if unknown. */
  readonly bytes: number | null;
}

/** The headers and the body of a message. */
export interface ExemplarMessage {
  /** At most 30 names and values; a value has at most 256 characters. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null if there is no body. */
  readonly body: BodyExcerpt | null;
}

/** A failed exchange, with enough information to send its request again. */
export interface FailedExchange extends ExchangeExemplar {
  readonly code: string;
  readonly message: string;
  readonly scenario: string;
  /** The page in which it was sent; null outside of pages. */
  readonly page: string | null;
  readonly request: ExemplarMessage;
  /** Null if no response began. */
  readonly response: ExemplarMessage | null;
}

/** Example exchanges. */
export interface ExemplarsResult {
  /** A median and a slow visit to each page, for at most 20 pages. */
  readonly pages: readonly PageExemplar[];
  /**
   * Up to three failed exchanges (the first, and two later ones) for each of at most 50 pairs of code and
   * request name.
   */
  readonly errors: readonly FailedExchange[];
}

const exchangeShape = once(() => ({
  name: z.string(),
  method: z.string(),
  url: z.string(),
  status: z.int().min(0).max(999),
  protocol: z.string(),
  atMs: amount(),
  // Results of earlier releases lack phases that were added later.
  phases: z.object(eachPhase(() => amount().default(0))),
  bytesSent: count(),
  bytesReceived: count(),
  traceId: z.string().exactOptional(),
}));

const messageSchema: () => z.ZodType<ExemplarMessage> = once(() =>
  z.object({
    headers: z.array(z.tuple([z.string(), z.string()])),
    body: z
      .object({ text: z.string().nullable(), isWhole: z.boolean(), bytes: count().nullable() })
      .nullable(),
  }),
);

export const exemplarsSchema: () => z.ZodType<ExemplarsResult> = once(() =>
  z.object({
    pages: z.array(
      z.object({
        page: z.string(),
        scenario: z.string(),
        kind: z.enum(visitKinds),
        atMs: amount(),
        durationMs: amount(),
        exchanges: z.array(z.object({ ...exchangeShape(), code: z.string().nullable() })),
        leftOut: count(),
      }),
    ),
    errors: z.array(
      z.object({
        ...exchangeShape(),
        code: z.string(),
        message: z.string(),
        scenario: z.string(),
        page: z.string().nullable(),
        request: messageSchema(),
        response: messageSchema().nullable(),
      }),
    ),
  }),
);
