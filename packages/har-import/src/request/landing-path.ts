import {
  changingMethods,
  isIdentifier,
  plainPath,
  requestName,
  scriptRedirects,
} from "@bearhug/sdk/internal";
import { atomsOfBody } from "../body-atoms.ts";
import type { CapturedBody } from "../capture-model.ts";
import { looksSecret } from "../secrets/secret-looks.ts";
import { anySegment } from "../path-pattern.ts";
import { knownText } from "../value.ts";
import { lastOf, redirectTarget, type Visit } from "../visit.ts";

/** A segment that is a word, and no id that belongs to this recording. */
const word = /^[A-Za-z][A-Za-z_.-]{0,40}$/;
/** A test compares the path as it is written, without the address that a relative one starts from. */
const isComparable = /^(?:https?:\/\/|\/(?!\/))/i;

/** The path that redirects led to; null where they led nowhere that says anything. */
export function landingPath(visit: Visit, body: CapturedBody | null): string | null {
  const method = visit.entry.request.method.toUpperCase();
  return changingMethods.has(method) ? patternOfLanding(visit, body) : wordsOfLanding(visit);
}

/** The path at the end of redirects, if it is made of words: a visitor who is no longer logged in ends elsewhere. */
function wordsOfLanding(visit: Visit): string | null {
  const from = visit.url.pathname;
  const to = lastOf(visit).url.pathname;
  return isPathOfWords(to) && to !== from ? to : null;
}

/**
 * The name of a request whose redirect leads to an object that no rule takes for an id, such as `/issue42`: redirects have the name of
 * their request, and without one, a row for each object. Null for any other request.
 */
export function nameOfCreator(visit: Visit, landsOn: string | null): string | null {
  const method = visit.entry.request.method.toUpperCase();
  if (landsOn === null || visit.hops.length === 0 || !changingMethods.has(method)) return null;
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

/** The pattern of the path at the end of redirects: a form that is shown again, with its errors, does not redirect. */
function patternOfLanding(visit: Visit, body: CapturedBody | null): string | null {
  const chain = [visit.url, ...visit.hops.map(({ url }) => url)];
  if (visit.hops.length === 0) chain.push(...unfollowed(visit));
  const led = chain.findIndex((url, index) => index > 0 && !isMove(chain[index - 1] ?? url, url));
  const to = chain.at(-1);
  return led < 0 || to === undefined ? null : landingPattern(visit.url, to, body);
}

/** The pattern of the path that an answer in JSON led to; null where that says nothing. */
export function landingInJson(from: URL, location: string, body: CapturedBody | null): string | null {
  const to = isComparable.test(location) ? URL.parse(location, from.href) : null;
  return to === null || to.hostname !== from.hostname || isMove(from, to)
    ? null
    : landingPattern(from, to, body);
}

/** A path in which `:id` stands for what differs from run to run: ids, and what the site makes of what it is sent. */
function landingPattern(from: URL, to: URL, body: CapturedBody | null): string {
  const own = new Set(from.pathname.split("/"));
  // A site makes names of addresses from what it is sent: titles, names of users.
  const sent = atomsOfBody(body).map(({ value }) => knownText(value) ?? "");
  const made = new Set(sent.filter((text) => !text.includes("/")).map(asName));
  const isLasting = (segment: string): boolean =>
    segment === "" ||
    (!isIdentifier(segment) &&
      !looksSecret(segment) &&
      !made.has(asName(segment)) &&
      (word.test(segment) || own.has(segment)));
  return plainPath(to.pathname)
    .split("/")
    .map((segment) => (isLasting(segment) ? segment : anySegment))
    .join("/");
}

/** The address of a redirect that the browser did not follow, if the test can compare it: on the same host. */
function unfollowed(visit: Visit): URL[] {
  const headers = visit.entry.response?.headers ?? [];
  const forScript = headers.find(([name]) => scriptRedirects.includes(name.toLowerCase()))?.[1];
  const location = forScript ?? headers.find(([name]) => name.toLowerCase() === "location")?.[1] ?? "";
  const target = forScript === undefined ? redirectTarget(visit) : location;
  if (target === null || !isComparable.test(location)) return [];
  const url = URL.parse(target, visit.url.href);
  return url?.hostname === visit.url.hostname ? [url] : [];
}

/** Returns true for another address of the same page: of HTTPS, of a host, a language or a directory. */
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

/** As an address has it: `Hello, world!` is `hello-world`. */
function asName(text: string): string {
  let decoded = text;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    // Compared as it is written.
  }
  return decoded.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
