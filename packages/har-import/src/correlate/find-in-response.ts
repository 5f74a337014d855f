import { type HtmlValue, pathSegments, walkHtml, writeJsonPath } from "@bearhug/sdk/internal";
import type { Extractor } from "@bearhug/sdk";

import type { Header } from "../capture.ts";
import { isHarmlessNeighbour } from "../secrets/harmless-neighbour.ts";
import { isDistinctive } from "../secrets/random-text.ts";
import { ofLengths, visitWords, wordKind } from "../secrets/words-in-text.ts";
import { isStableName, hasShortId } from "./names.ts";

/** A place in a response with a value that a request sends later. */
export interface Sighting {
  readonly value: string;
  readonly from: Extractor;
  /** Its name in the response: a key, a field, a parameter. */
  readonly name: string;
  /** The key that it is within: `order` of `order.id`; "" where there is none. */
  readonly within: string;
  /** True for one of several similar values: a person chose this one. */
  readonly isOneOfMany: boolean;
  /** True at the end of an address in JSON: `7f` of `{"self":"/albums/7f"}`. */
  readonly endsLink?: boolean;
}

/** Receives a sighting; called in the order of the response. */
export type ReportSighting = (sighting: Sighting) => void;

/** Returns true if a later request sends the value. */
export type IsWanted = (value: string) => boolean;

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

/**
 * Reports the wanted form fields and meta elements of an HTML document; `onField` gets the name of each field.
 */
export function findInHtml(
  html: string,
  isWanted: IsWanted,
  report: ReportSighting,
  onField: (name: string) => void,
): void {
  if (!anyField.test(html)) return;
  const found: (HtmlValue & { readonly nth: number })[] = [];
  const values = new Map<string, { count: number; readonly different: Set<string> }>();
  walkHtml(html, (one) => {
    if (one.kind === "field") onField(one.name);
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

/**
 * Words that may be values: letters and digits, perhaps with the characters of base64 and of tokens with
 * dots, which are also segments and parameters of links.
 */
const wordKinds = [
  wordKind(/[\w-]/, (length) => length >= 4),
  wordKind(/[\w+/=.~:%-]/, (length) => length >= 8),
  wordKind(/[\w.~:%-]/, (length) => length >= 8),
] as const;
/** Most values of one text that are located: each costs a search through all of it. */
const maxFound = 20;
const maxLeft = 40;
const minLeft = 5;
/** A shorter neighbour may easily occur in the page a second time. */
const comfortableLeft = 8;
/** Starts of a left neighbour: a tag, an attribute, a word. */
const beginning = /[<{"'][A-Za-z]|(?<![\w-])(?!quot;)[A-Za-z]/g;
/** The name before a value: `data-review="`, `"token":"`, `/orders/`, `token = '`, `__VIEWSTATE|`. */
const nameAtEnd = /([A-Za-z][\w-]{1,40})["']?\s{0,3}[=:>/|]\s{0,3}["']?$/;

/** HTML elements that describe how text looks rather than what it is. In XML, the element is the name. */
const layout = /^(a|b|code|dd|div|em|h\d|i|li|p|pre|samp|small|span|strong|td|th|tt|u)$/i;

/** Finds the places of wanted words in a text. @param lengths The lengths of all wanted values. */
export function findWords(
  text: string,
  lengths: ReadonlySet<number>,
  isWanted: IsWanted,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const kind of wordKinds) {
    // The length alone rules out most words.
    visitWords(text, ofLengths(kind, lengths), (start, end) => {
      const word = text.slice(start, end);
      if (!isWanted(word)) return false;
      const places = found.get(word);
      if (places?.includes(start) === true) return false;
      if (places !== undefined) places.push(start);
      else if (found.size < maxFound) found.set(word, [start]);
      else return true;
      return false;
    });
  }
  return found;
}

/**
 * Reports wanted values in a text, each with the neighbours that locate it. @param lengths The lengths of all
 * wanted values.
 */
export function findInText(
  text: string,
  lengths: ReadonlySet<number>,
  isWanted: IsWanted,
  report: ReportSighting,
): void {
  const found = findWords(text, lengths, isWanted);
  for (const [value, places] of found) {
    const neighbours = places.slice(0, maxFound).flatMap((start) => findNeighbours(text, start, value));
    // A named neighbour marks a value as data; any other is wording that may change.
    const best = neighbours.find(({ name }) => name !== "") ?? neighbours[0];
    if (best === undefined) continue;
    const { left, right, name } = best;
    report({ value, from: { between: [left, right] }, name, within: "", isOneOfMany: false });
  }
}

interface Neighbours {
  readonly left: string;
  readonly right: string;
  readonly name: string;
}

/**
 * Returns the neighbours of a value on its line: the shortest left one that occurs only once. They contain no
 * values.
 */
function findNeighbours(text: string, start: number, value: string): Neighbours[] {
  const line = text.slice(Math.max(0, start - maxLeft), start).replace(/^.*[\r\n]/s, "");
  const right = /^[^\w]/.exec(text.slice(start + value.length, start + value.length + 1))?.[0];
  if (right === undefined || value.includes(right)) return [];
  const lefts = Array.from(line.matchAll(beginning), ({ index }) => line.slice(index)).toReversed();
  const long = lefts.filter(({ length }) => length >= comfortableLeft);
  for (const left of [
    ...long,
    ...lefts.filter(({ length }) => length >= minLeft && length < comfortableLeft),
  ]) {
    if (!isStable(left) || !isHarmlessNeighbour(left)) continue;
    const first = text.indexOf(left);
    if (first + left.length !== start || text.includes(left, first + 1)) continue;
    const name = nameAtEnd.exec(left.replaceAll("&quot;", '"'))?.[1] ?? "";
    return [{ left, right, name: isStableName(name) && !layout.test(name) ? name : "" }];
  }
  return [];
}

function isStable(left: string): boolean {
  const parts = left.match(/[\w+/.~-]+/g) ?? [];
  return (
    /[A-Za-z]{3}/.test(left) &&
    !/\d{3}|.@./.test(left) &&
    !parts.some((part) => isDistinctive(part) || hasShortId(part))
  );
}
