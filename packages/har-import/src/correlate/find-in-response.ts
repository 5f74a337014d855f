import { type HtmlValue, pathSegments, walkHtml, writeJsonPath } from "@bearhug/sdk/internal";
import type { Header } from "../capture.ts";
import { isStableName } from "./names.ts";
import type { IsWanted, ReportSighting } from "./source.ts";

/** Values nested deeper are not searched. */
const maxDepth = 100;

/** Reports the wanted strings and numbers of a JSON document. */
export function findInJson(document: unknown, isWanted: IsWanted, report: ReportSighting): void {
  const path: (string | number)[] = [];
  const walk = (here: unknown, isOneOfMany: boolean): void => {
    if (typeof here === "string" || typeof here === "number") {
      const value = String(here);
      if (!isWanted(value) || !path.every((key) => typeof key === "number" || isStableName(key))) return;
      const keys = path.filter((key) => typeof key === "string");
      report({
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

/** No form has more fields: this is a table of inputs, whose rows are choices. */
const maxFields = 5_000;

/** Many fragments of pages have none of these, and need not be parsed. */
const anyField = /<(?:input|button|meta|textarea|select)/i;

/** Reports the wanted form fields and meta elements of an HTML document. */
export function findInHtml(html: string, isWanted: IsWanted, report: ReportSighting): void {
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
    // `extract` finds only the first meta element of a name, and of equal fields the first one is enough.
    if (nth > 1 && (kind === "meta" || !isOneOfMany)) continue;
    const field = nth === 1 ? { field: name } : { field: name, nth };
    report({ value, from: kind === "meta" ? { meta: name } : field, name, within: "", isOneOfMany });
  }
}

/** Headers about the server, the connection or the body. Cookies are left to the cookie jar. */
const ignoredHeaders =
  /^(:|(accept|access-control|cache|content|cross-origin|sec|strict|x-amz-cf|x-cache|x-content|x-frame|x-xss)-|(age|alt-svc|connection|cookie|date|expires|last-modified|nel|pragma|report-to|server|server-timing|set-cookie2?|transfer-encoding|vary|via)$)/;

/** Reports the headers of a response whose whole value is wanted. */
export function findInHeaders(headers: readonly Header[], isWanted: IsWanted, report: ReportSighting): void {
  const seen = new Set<string>();
  for (const [written, value] of headers) {
    const name = written.toLowerCase();
    if (seen.has(name) || ignoredHeaders.test(name)) continue;
    seen.add(name);
    if (!isWanted(value) || !isStableName(name)) continue;
    report({ value, from: { header: name }, name, within: "", isOneOfMany: false });
  }
}

/** Returns true if the segment after these is the id of an object that the request created. */
export type IsCreatedIn = (collection: readonly string[]) => boolean;

/** Reports the wanted parameters and segments of an address that a server redirected the browser to. */
export function findInAddress(
  address: string,
  base: string,
  isCreatedIn: IsCreatedIn,
  isWanted: IsWanted,
  report: ReportSighting,
): void {
  const url = URL.parse(address, base);
  if (url === null) return;
  findInPath(url.pathname, isCreatedIn, isWanted, report);
  const fragment = url.hash.slice(1);
  const inFragment = new URLSearchParams(fragment.slice(fragment.indexOf("?") + 1));
  for (const parameters of [url.searchParams, inFragment]) {
    for (const [name, value] of parameters) {
      if (!isWanted(value) || !isStableName(name)) continue;
      report({ value, from: { query: name }, name, within: "", isOneOfMany: false });
    }
  }
}

/** Counts segments from the end: a created object has its id there, wherever the site is mounted. */
function findInPath(
  path: string,
  isCreatedIn: IsCreatedIn,
  isWanted: IsWanted,
  report: ReportSighting,
): void {
  const segments = pathSegments(path);
  for (const [index, value] of segments.entries()) {
    const name = segments[index - 1] ?? "";
    if (!isWanted(value) || !isStableName(name)) continue;
    const isLast = index === segments.length - 1;
    if (!/\d/.test(value) && !(isLast && isCreatedIn(segments.slice(0, -1)))) continue;
    report({ value, from: { segment: index - segments.length }, name, within: "", isOneOfMany: false });
  }
}
