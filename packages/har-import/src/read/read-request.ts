import * as z from "zod";
import { isBase64 } from "../base64.ts";
import type { Header, PostData } from "../capture.ts";
import { byteCount, list, text, textOrNumber } from "./json-fields.ts";

const postDataSchema = z.compile(
  z.object({ mimeType: text, text, encoding: text, params: list }).nullable().catch(null),
);

const paramSchema = z.compile(
  z.object({
    name: z.string(),
    value: textOrNumber,
    fileName: z.string().nullable().catch(null),
    contentType: z.string().nullable().catch(null),
  }),
);

/**
 * The body of a request; null where there is none to read.
 *
 * @param contentType Of the request's headers: some recorders leave the body's own type out.
 */
export function readPostData(
  raw: unknown,
  contentType: string,
  report: (field: string, problem: string) => void,
): PostData | null {
  const postData = postDataSchema.parse(raw);
  if (postData === null) return null;
  const params = postData.params.flatMap((rawParam) => {
    const param = paramSchema.safeParse(rawParam);
    return param.success ? [param.data] : [];
  });
  const { mimeType, text: sent, encoding } = postData;
  const saysBase64 = encoding.toLowerCase() === "base64";
  const isDecodable = saysBase64 && isBase64(sent);
  if (saysBase64 && !isDecodable) {
    report(".request.postData.text", "is marked as base64 but is not; read as text");
  }
  return { mimeType: mimeType === "" ? contentType : mimeType, text: sent, isBase64: isDecodable, params };
}

const cookieSchema = z.compile(z.object({ name: z.string(), value: textOrNumber }));

const none: readonly Header[] = [];

/** Cookies of a request as sent: from the file's own list or, where that has none, from the header. */
export function readCookies(list: readonly unknown[], headers: readonly Header[]): readonly Header[] {
  const listed = list.flatMap((raw) => {
    const cookie = cookieSchema.safeParse(raw);
    return cookie.success ? [[cookie.data.name, cookie.data.value] as const] : [];
  });
  if (listed.length > 0) return [...listed];
  if (!headers.some(([name]) => name.toLowerCase() === "cookie")) return none;
  return headers
    .filter(([name]) => name.toLowerCase() === "cookie")
    .flatMap(([, value]) => value.split(";"))
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "")
    .map(partCookie);
}

/** Splits a cookie into name and value. Without `=`, it is a value without a name, as in browsers. */
function partCookie(pair: string): Header {
  const equals = pair.indexOf("=");
  return equals === -1 ? ["", pair] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
}

const length = /^\s*(\d{1,15})\s*$/;

/**
 * Length of what a request carried; null where the file does not say. Playwright writes 0 for a body that it cannot see,
 * and Chrome the length of what it kept: the larger of size and header counts.
 */
export function readSentBytes(bodySize: unknown, headers: readonly Header[]): number | null {
  const size = byteCount.parse(bodySize);
  const written = headers.find(([name]) => name.toLowerCase() === "content-length")?.[1] ?? "";
  const told = length.exec(written)?.[1];
  return told === undefined ? size : Math.max(size ?? 0, Number(told));
}
