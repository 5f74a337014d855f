import { z } from "@bearhug/sdk/internal";
import { isBase64 } from "../base64.ts";
import type { EntryBody, EntryResponse } from "../capture.ts";
import { anything, byteCount, list, text, textOrNumber } from "./json-fields.ts";
import { type KnownHeaders, readHeaders } from "./read-messages.ts";

/** "200", and "200 OK" as well. */
const statusText = z
  .string()
  .regex(/^\s*\d{3}(?!\d)/)
  .transform((written) => Number.parseInt(written, 10));

const responseSchema = z.compile(
  z.object({
    // An absent status means "not recorded"; null, 0 and an invalid status mean "no response".
    status: z
      .union([z.undefined(), z.union([z.number(), statusText]).pipe(z.number().int().min(100).max(999))])
      .catch(0),
    httpVersion: textOrNumber,
    headers: list,
    redirectURL: text,
    headersSize: anything,
    bodySize: anything,
    _transferSize: anything,
    content: z
      .object({ text: z.string().nullable().catch(null), encoding: text, mimeType: text, size: byteCount })
      .nullable()
      .catch(null),
    // Chrome's, Playwright's and Charles's fields for an incomplete response.
    _error: text,
    _failureText: text,
    _charlesStatus: text,
  }),
);

/** The response of an entry, and what else its fields say about the exchange. */
interface ReadResponse {
  readonly response: EntryResponse;
  readonly httpVersion: string;
  /** True if nothing came over the network, as Playwright records it: it has no field for the cache. */
  readonly isFromCache: boolean;
}

/** Reads a response; null if the file has none. */
export function readResponse(
  raw: unknown,
  known: KnownHeaders,
  report: (field: string, problem: string) => void,
): ReadResponse | null {
  const parsed = responseSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { status, httpVersion, headers, redirectURL, content, ...rest } = parsed.data;
  const failures = [rest._error, rest._failureText, rest._charlesStatus.replace(/^complete$/i, "")];
  const response: EntryResponse = {
    status: status ?? null,
    isAborted: failures.some((failure) => isCutShort(failure, status ?? null)),
    headers: readHeaders(headers, known),
    mimeType: content?.mimeType ?? "",
    body: content === null ? null : readContent(content.text, content.encoding, report),
    bodyBytes: content?.size ?? byteCount.parse(rest.bodySize),
    redirectUrl: redirectURL,
  };
  return { response, httpVersion, isFromCache: isFromCache(rest) };
}

/** Playwright subtracts the size of the headers from the bytes transferred: 0 − 180 is −180. */
function isFromCache({
  headersSize,
  bodySize,
  _transferSize,
}: Pick<z.infer<typeof responseSchema>, "headersSize" | "bodySize" | "_transferSize">): boolean {
  return (
    _transferSize === 0 && typeof headersSize === "number" && headersSize > 0 && bodySize === -headersSize
  );
}

function readContent(
  content: string | null,
  encoding: string,
  report: (field: string, problem: string) => void,
): EntryBody | null {
  if (content === null) return null;
  if (encoding.toLowerCase() !== "base64") return { text: content };
  if (isBase64(content)) return { base64: content };
  report("content.text", "is marked as base64 but is not; read as text");
  return { text: content };
}

/** Browsers' words for a cancelled request. */
const cancelled = /abort|cancel/i;

/**
 * Returns true if the response had begun or the request was cancelled, judging by the recorder's failure
 * text. A refused or blocked request (status 0) has no response at all.
 */
export function isCutShort(failure: string, status: number | null): boolean {
  return failure !== "" && (status !== 0 || cancelled.test(failure));
}
