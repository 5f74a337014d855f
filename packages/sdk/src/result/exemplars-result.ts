import * as z from "zod";

import { eachPhase, type RequestPhases } from "../http/timings.ts";
import { once } from "../validation/once.ts";

/** One request with its response, as an example of others. Secrets are masked. */
export interface ExchangeExemplar {
  /** The name that its metrics are grouped by. */
  readonly name: string;
  readonly method: string;
  /** At most 256 characters for a page's, 2,000 for a failed exchange. */
  readonly url: string;
  /** 0 where no response began. */
  readonly status: number;
  /** The code of its error; null if it succeeded. */
  readonly code: string | null;
  /** Empty where no response began. */
  readonly protocol: string;
  /** When the test called, in ms: from the start of the page visit, or of the load for a failed exchange. */
  readonly atMs: number;
  /** In ms, as in the metrics `http_req_*`. */
  readonly phases: RequestPhases;
  /** Bytes on the wire. */
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** 32 hexadecimal digits of its `traceparent` header. Missing without that header. */
  readonly traceId?: string;
}

const visitKinds = ["median", "slow"] as const;

/** An example visit to a page: near the median, or near the 95th percentile. */
export interface PageExemplar {
  readonly page: string;
  readonly scenario: string;
  readonly kind: (typeof visitKinds)[number];
  /** When it began, in ms from the start of the load. */
  readonly atMs: number;
  readonly durationMs: number;
  /** In the order in which they began, at most 100: those that ended first. */
  readonly exchanges: readonly ExchangeExemplar[];
  /** The number of further exchanges of the visit. */
  readonly leftOut: number;
}

/** The beginning of a body. */
export interface BodyExcerpt {
  /** At most 512 characters without the content encoding; null for a body that is no text, or was not kept. */
  readonly text: string | null;
  /** True if `text` is the whole body. */
  readonly isWhole: boolean;
  /** The length of the whole body as it was sent; null if unknown. */
  readonly bytes: number | null;
}

/** The headers and the body of a message. */
export interface ExemplarMessage {
  /** At most 30 names and values; a value has at most 256 characters. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null where there is none. */
  readonly body: BodyExcerpt | null;
}

/** A failed request, with enough to send it again. */
export interface FailedExchange extends ExchangeExemplar {
  readonly code: string;
  readonly message: string;
  readonly scenario: string;
  /** Null outside of pages. */
  readonly page: string | null;
  readonly request: ExemplarMessage;
  /** Null where no response began. */
  readonly response: ExemplarMessage | null;
}

/** Example exchanges. */
export interface ExemplarsResult {
  /** A median and a slow visit to each page, for at most 20 pages. */
  readonly pages: readonly PageExemplar[];
  /** At most three of each code and request name, for at most 50 of these: the first, and two later ones. */
  readonly errors: readonly FailedExchange[];
}

const amount = once(() => z.number().nonnegative());
const count = once(() => z.int().nonnegative());

const exchangeShape = once(() => ({
  name: z.string(),
  method: z.string(),
  url: z.string(),
  status: z.int().min(0).max(999),
  protocol: z.string(),
  atMs: amount(),
  // Results of earlier releases lack the phases that came later.
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
