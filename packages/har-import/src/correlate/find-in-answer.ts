import { type HtmlValue, pathSegments, walkHtml, writeJsonPath } from "@bearhug/sdk/internal";
import type { Header } from "../capture.ts";
import { isStableName } from "./names.ts";
import type { IsWanted, Tell } from "./source.ts";

/** Deeper values are no form of anything that a page sends. */
const maxDepth = 100;

/** Texts and numbers of a JSON document that are wanted. */
export function findInJson(document: unknown, isWanted: IsWanted, tell: Tell): void {
  const path: (string | number)[] = [];
  const walk = (here: unknown, isOneOfMany: boolean): void => {
    if (typeof here === "string" || typeof here === "number") {
      const value = String(here);
      if (!isWanted(value) || !path.every((key) => typeof key === "number" || isStableName(key))) return;
      const keys = path.filter((key) => typeof key === "string");
      tell({
        value,
        from: { json: writeJsonPath(path) },
        name: keys.at(-1) ?? "",
        within: keys.at(-2) ?? "",
        isOneOfMany,
      });
      return;
    }
    if (typeof here !== "object" || here === null || path.length >= maxDepth) return;
    const isList = Array.isArray(here);
    const inside: Iterable<readonly [string | number, unknown]> = isList
      ? here.entries()
      : Object.entries(here);
    for (const [key, value] of inside) {
      path.push(key);
      walk(value, isOneOfMany || (isList && here.length > 1));
      path.pop();
    }
  };
  walk(document, false);
}

/** More fields than any form has: a table of inputs, whose rows are choices. */
const maxFields = 5_000;

/** Many pieces of pages have none of these, and need not be taken apart. */
const anyField = /<(?:input|button|meta|textarea|select)/i;

/** Form fields and meta elements of an HTML document that are wanted. */
export function findInHtml(html: string, isWanted: IsWanted, tell: Tell): void {
  if (!anyField.test(html)) return;
  const found: (HtmlValue & { readonly nth: number })[] = [];
  const values = new Map<string, { count: number; readonly different: Set<string> }>();
  walkHtml(html, (one) => {
    const key = `${one.kind} ${one.name}`;
    const others = values.get(key) ?? { count: 0, different: new Set() };
    others.count++;
    others.different.add(one.value);
    values.set(key, others);
    if (isWanted(one.value) && isStableName(one.name)) found.push({ ...one, nth: others.count });
    return found.length >= maxFields;
  });
  for (const { kind, name, value, nth } of found) {
    const isOneOfMany = (values.get(`${kind} ${name}`)?.different.size ?? 0) > 1;
    // `extract` finds the first meta element of a name alone, and of equal fields the first says it all.
    if (nth > 1 && (kind === "meta" || !isOneOfMany)) continue;
    const field = nth === 1 ? { field: name } : { field: name, nth };
    tell({ value, from: kind === "meta" ? { meta: name } : field, name, within: "", isOneOfMany });
  }
}

/** Headers about the server, the connection or the body. Cookies are left to the cookie jar. */
const ofNoUse =
  /^(:|(accept|access-control|cache|content|cross-origin|sec|strict|x-amz-cf|x-cache|x-content|x-frame|x-xss)-|(age|alt-svc|connection|cookie|date|expires|last-modified|nel|pragma|report-to|server|server-timing|set-cookie2?|transfer-encoding|vary|via)$)/;

/** Headers of an answer whose whole value is wanted. */
export function findInHeaders(headers: readonly Header[], isWanted: IsWanted, tell: Tell): void {
  const seen = new Set<string>();
  for (const [written, value] of headers) {
    const name = written.toLowerCase();
    if (seen.has(name) || ofNoUse.test(name)) continue;
    seen.add(name);
    if (!isWanted(value) || !isStableName(name)) continue;
    tell({ value, from: { header: name }, name, within: "", isOneOfMany: false });
  }
}

/** Returns true if what a request made stands in an address behind these segments. */
export type IsMade = (collection: readonly string[]) => boolean;

/** Parameters and segments, wanted ones, of an address that a server sent the browser to. */
export function findInAddress(
  address: string,
  base: string,
  isMade: IsMade,
  isWanted: IsWanted,
  tell: Tell,
): void {
  const url = URL.parse(address, base);
  if (url === null) return;
  findInPath(url.pathname, isMade, isWanted, tell);
  const fragment = url.hash.slice(1);
  const inFragment = new URLSearchParams(fragment.slice(fragment.indexOf("?") + 1));
  for (const parameters of [url.searchParams, inFragment]) {
    for (const [name, value] of parameters) {
      if (!isWanted(value) || !isStableName(name)) continue;
      tell({ value, from: { query: name }, name, within: "", isOneOfMany: false });
    }
  }
}

/** Segments are counted from the end: what is made has its id there, wherever the site is mounted. */
function findInPath(path: string, isMade: IsMade, isWanted: IsWanted, tell: Tell): void {
  const segments = pathSegments(path);
  for (const [index, value] of segments.entries()) {
    const name = segments[index - 1] ?? "";
    if (!isWanted(value) || !isStableName(name)) continue;
    const isLast = index === segments.length - 1;
    if (!/\d/.test(value) && !(isLast && isMade(segments.slice(0, -1)))) continue;
    tell({ value, from: { segment: index - segments.length }, name, within: "", isOneOfMany: false });
  }
}
