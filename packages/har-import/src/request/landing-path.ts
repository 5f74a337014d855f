import { modifyingMethods, plainPath, scriptRedirects } from "@bearhug/sdk/internal";
import { isIdentifier } from "@bearhug/text/identifier";
import { requestName } from "@bearhug/text/request-name";
import { atomsOfBody } from "../map-atoms.ts";
import type { CapturedBody } from "../capture-model.ts";
import { headerOf } from "../capture.ts";
import { looksSecret } from "../secrets/secret-looks.ts";
import { percentDecode } from "../parse-pairs.ts";
import { landingQueryOf } from "./landing-query.ts";
import { anySegment } from "../path-pattern.ts";
import { textOf } from "../value.ts";
import { lastOf, redirectTarget, type Visit } from "../visit.ts";

/** A segment that is a word, and not an id of this recording. */
const word = /^[A-Za-z][A-Za-z_.-]{0,40}$/;
/** A test compares the path as it is written: a relative one would have to be resolved first. */
const isComparable = /^(?:https?:\/\/|\/(?!\/))/i;

/** Returns the path that redirects led to; null if there were none, or the path is of no use for a check. */
export function landingPath(visit: Visit, body: CapturedBody | null): string | null {
  const isForm = modifyingMethods.has(visit.entry.request.method);
  return isForm ? patternOfLanding(visit, body) : wordsOfLanding(visit);
}

/**
 * Returns the parameters of the address that redirects led to, if the request, or the page of a form, has the
 * same path: every page of `/index.php?route=…` does. "" if it has none.
 */
export function landingQuery(visit: Visit, body: CapturedBody | null): string {
  const to = chainOf(visit).at(-1);
  if (to === undefined) return "";
  const { method, headers } = visit.entry.request;
  const isForm = modifyingMethods.has(method);
  const referer = isForm ? URL.parse(headerOf(headers, "referer") ?? "") : null;
  const formPaths = [visit.url, referer].map((url) => url?.pathname);
  const derived = derivedFrom(body);
  // A link's own parameters may be data, such as what is searched for.
  const own = new Set(isForm ? [] : visit.url.searchParams.values());
  const isDerived = (text: string): boolean => derived.has(asName(text)) || own.has(text);
  return formPaths.includes(to.pathname) ? landingQueryOf(to, isDerived) : "";
}

/**
 * Returns the path at the end of redirects if it is made of words: a visitor who is no longer logged in ends
 * elsewhere.
 */
function wordsOfLanding(visit: Visit): string | null {
  const { pathname } = lastOf(visit).url;
  if (!isPathOfWords(pathname)) return null;
  const isElsewhere = pathname !== visit.url.pathname || landsOnOtherPage(visit);
  return isElsewhere ? pathname : null;
}

/** Returns true if redirects led to another page at the same path: from `?action=delete` to `?action=list`. */
function landsOnOtherPage(visit: Visit): boolean {
  return landingQuery(visit, null) !== "";
}

/**
 * Returns the name of a request whose redirect leads to an object with an id that no rule recognizes, such as
 * `/issue42`: redirects are reported under the name of their request, and without one, each object would have
 * its own row. null for any other request.
 */
export function nameOfCreator(visit: Visit, landsOn: string | null): string | null {
  const { method } = visit.entry.request;
  if (landsOn === null || visit.hops.length === 0 || !modifyingMethods.has(method)) return null;
  const collapsed = requestName("GET", plainPath(lastOf(visit).url.pathname));
  return collapsed === `GET ${landsOn}` ? null : requestName(method, visit.url.pathname);
}

/** Returns true for a path without ids, which is the same in each run. */
export function isPathOfWords(path: string): boolean {
  return path
    .slice(1)
    .split("/")
    .every((segment) => segment === "" || isWord(segment));
}

/**
 * Returns the pattern of the path at the end of redirects: a form that is displayed again, with its errors,
 * does not redirect.
 */
function patternOfLanding(visit: Visit, body: CapturedBody | null): string | null {
  const chain = chainOf(visit);
  const landing = chain.findIndex((url, index) => index > 0 && !isMove(chain[index - 1] ?? url, url));
  const to = chain.at(-1);
  return landing < 0 || to === undefined ? null : landingPattern(visit.url, to, body);
}

/** Returns the addresses of a request and its redirects, also if the browser did not follow them. */
function chainOf(visit: Visit): URL[] {
  return [visit.url, ...(visit.hops.length === 0 ? unfollowed(visit) : visit.hops.map(({ url }) => url))];
}

/**
 * Returns the pattern of the path that a JSON response redirected to; null if it is of no use for a check.
 */
export function landingInJson(from: URL, location: string, body: CapturedBody | null): string | null {
  const to = isComparable.test(location) ? URL.parse(location, from.href) : null;
  return to === null || to.hostname !== from.hostname || isMove(from, to)
    ? null
    : landingPattern(from, to, body);
}

/**
 * Returns a path in which `:id` stands for what differs from run to run: ids, and text derived from the
 * request's body.
 */
function landingPattern(from: URL, to: URL, body: CapturedBody | null): string {
  const own = new Set(from.pathname.split("/"));
  const derived = derivedFrom(body);
  const isStable = (segment: string): boolean =>
    segment === "" ||
    (!isIdentifier(segment) &&
      !looksSecret(segment) &&
      !derived.has(asName(segment)) &&
      (word.test(segment) || own.has(segment)));
  return plainPath(to.pathname)
    .split("/")
    .map((segment) => (isStable(segment) ? segment : anySegment))
    .join("/");
}

/** Returns what a site may derive an address from, as addresses have it: titles, names of users. */
function derivedFrom(body: CapturedBody | null): ReadonlySet<string> {
  const sent = atomsOfBody(body).map(textOf);
  return new Set(sent.filter((text) => !text.includes("/")).map(asName));
}

/**
 * Returns the target of a redirect that the browser did not follow, if the test can compare it: on the same
 * host.
 */
function unfollowed(visit: Visit): URL[] {
  const headers = visit.entry.response?.headers ?? [];
  const forScript = headers.find(([name]) => scriptRedirects.includes(name.toLowerCase()))?.[1];
  const location = forScript ?? headerOf(headers, "location") ?? "";
  const target = forScript === undefined ? redirectTarget(visit) : location;
  if (target === null || !isComparable.test(location)) return [];
  const url = URL.parse(target, visit.url.href);
  return url?.hostname === visit.url.hostname ? [url] : [];
}

/**
 * Returns true if a redirect leads to another address of the same page: with HTTPS, another host, a language
 * or a trailing slash.
 */
function isMove(from: URL, to: URL): boolean {
  const isSame = withoutSlash(plainPath(from.pathname)) === withoutSlash(plainPath(to.pathname));
  return isSame && (from.origin !== to.origin || from.pathname !== to.pathname);
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, "");
}

function isWord(segment: string): boolean {
  return word.test(segment) && !looksSecret(segment);
}

/** Reduces a text to what addresses keep of it: `Hello, world!` and `hello-world` become the same. */
function asName(text: string): string {
  return percentDecode(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}
