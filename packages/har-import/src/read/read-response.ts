import { z } from "zod";
import type { EntryBody, EntryResponse } from "../capture.ts";
import { isBase64 } from "./is-base64.ts";
import { list, text, textOrNumber } from "./json-fields.ts";
import { readHeaders } from "./read-headers.ts";

const byteCount = z.number().int().nonnegative().nullable().catch(null);

/** "200", and "200 OK" as well. */
const statusText = z
  .string()
  .regex(/^\s*\d{3}(?!\d)/)
  .transform((written) => Number.parseInt(written, 10));

const responseSchema = z.object({
  // Absent is "not recorded"; null, 0 and what is no status are "no answer".
  status: z
    .union([z.undefined(), z.union([z.number(), statusText]).pipe(z.number().int().min(100).max(999))])
    .catch(0),
  httpVersion: textOrNumber,
  headers: list,
  redirectURL: text,
  bodySize: byteCount,
  content: z
    .object({ text: z.string().nullable().catch(null), encoding: text, mimeType: text, size: byteCount })
    .nullable()
    .catch(null),
  // Chrome's, Playwright's and Charles's words for an answer that is not whole.
  _error: text,
  _failureText: text,
  _charlesStatus: text,
});

/** The answer of an entry, and how it spells its HTTP; null where the file has none. */
export function readResponse(
  raw: unknown,
  report: (field: string, problem: string) => void,
): { readonly response: EntryResponse; readonly httpVersion: string } | null {
  const parsed = responseSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { status, httpVersion, headers, redirectURL, bodySize, content, ...words } = parsed.data;
  const isWhole = words._charlesStatus === "" || /^complete$/i.test(words._charlesStatus);
  const response: EntryResponse = {
    status: status ?? null,
    isAborted: words._error !== "" || words._failureText !== "" || !isWhole,
    headers: readHeaders(headers),
    mimeType: content?.mimeType ?? "",
    body: content === null ? null : readContent(content.text, content.encoding, report),
    bodyBytes: content?.size ?? bodySize,
    redirectUrl: redirectURL,
  };
  return { response, httpVersion };
}

function readContent(
  content: string | null,
  encoding: string,
  report: (field: string, problem: string) => void,
): EntryBody | null {
  if (content === null) return null;
  if (encoding.toLowerCase() !== "base64") return { text: content };
  if (isBase64(content)) return { base64: content };
  report("content.text", "is said to be base64 and is not: taken as text");
  return { text: content };
}
