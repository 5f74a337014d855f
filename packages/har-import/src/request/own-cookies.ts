import type { CapturedCookie } from "../capture-model.ts";
import { textValue } from "../value.ts";
import type { Visit } from "../visit.ts";

/** What a Set-Cookie header begins with. */
const setCookieName = /^\s*([^=;]+?)\s*=/;

/**
 * The cookies that the browser had before the recording, or that a page's script set: those that no answer before had
 * set. Each once for a host, as it was first sent. What answers set comes again by itself.
 */
export function findOwnCookies(visits: readonly Visit[]): CapturedCookie[] {
  const given = new Set<string>();
  const own = new Map<string, CapturedCookie>();
  for (const { url, entry } of visits.flatMap((visit) => [visit, ...visit.hops])) {
    for (const [name, value] of entry.request.cookies) {
      const key = `${name} ${url.host}`;
      if (name === "" || given.has(name) || own.has(key)) continue;
      own.set(key, { name, origin: url.origin, value: textValue(value) });
    }
    for (const [header, value] of entry.response?.headers ?? []) {
      const name = header.toLowerCase() === "set-cookie" ? setCookieName.exec(value)?.[1] : undefined;
      if (name !== undefined) given.add(name);
    }
  }
  return [...own.values()];
}
