import { z } from "zod";
import type { CapturedBody } from "../capture-model.ts";
import type { EntryResponse } from "../capture.ts";
import { isBase64 } from "./is-base64.ts";
import { list, text } from "./json-fields.ts";
import { readHeaders } from "./read-headers.ts";

const byteCount = z.number().int().nonnegative().nullable().catch(null);

const responseSchema = z.object({
  // Absent is "not recorded"; null, 0 and what is no status are "no answer".
  status: z.union([z.undefined(), z.coerce.number().int().min(100).max(999)]).catch(0),
  headers: list,
  redirectURL: text,
  bodySize: byteCount,
  content: z
    .object({ text: z.string().nullable().catch(null), encoding: text, mimeType: text, size: byteCount })
    .nullable()
    .catch(null),
  _error: text,
});

/** The answer of an entry; null where the file has none. */
export function readResponse(
  raw: unknown,
  report: (field: string, problem: string) => void,
): EntryResponse | null {
  const parsed = responseSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { status, headers, redirectURL, bodySize, content, _error: error } = parsed.data;
  return {
    status: status ?? null,
    isAborted: error !== "",
    headers: readHeaders(headers),
    mimeType: content?.mimeType ?? "",
    body: content === null ? null : readContent(content.text, content.encoding, report),
    bodyBytes: content?.size ?? bodySize,
    redirectUrl: redirectURL,
  };
}

function readContent(
  content: string | null,
  encoding: string,
  report: (field: string, problem: string) => void,
): CapturedBody | null {
  if (content === null) return null;
  if (encoding.toLowerCase() !== "base64") return { text: content };
  if (isBase64(content)) return { base64: content };
  report("content.text", "is said to be base64 and is not: taken as text");
  return { text: content };
}
