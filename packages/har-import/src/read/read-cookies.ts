import { z } from "zod";
import type { Header } from "../capture.ts";
import { textOrNumber } from "./json-fields.ts";

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

/** What has no `=` is a value without a name, as browsers take it. */
function partCookie(pair: string): Header {
  const equals = pair.indexOf("=");
  return equals === -1 ? ["", pair] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
}
