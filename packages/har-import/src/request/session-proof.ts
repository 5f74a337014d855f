import { modifyingMethods } from "@bearhug/sdk/internal";
import { isPasswordName } from "@bearhug/text/secrets/secret-names";
import { atomsOfBody } from "../body-atoms.ts";
import type { CapturedBody, Proof } from "../capture-model.ts";
import type { Header } from "../capture.ts";
import { isAnalyticsCookie } from "../secrets/cookie-names.ts";
import { isDistinctive } from "../secrets/random-text.ts";
import { knownText } from "../value.ts";
import type { Visit } from "../visit.ts";

/** A cookie that a response sets or deletes. */
interface SetCookie {
  readonly name: string;
  readonly value: string;
  readonly url: string;
  readonly isDeleted: boolean;
}

const sessionName = /sess|(?:^|[._-])sid$|auth|token|jwt|identity|login|remember/i;
/** Names of cookies that forms and load balancers set for everybody. */
const sharedName = /csrf|xsrf|state|nonce|incap_|visid_|affinity|awsalb/i;
const isDeletion = /;\s*(?:max-age\s*=\s*(?:0|-\d+)\s*(?:;|$)|expires\s*=[^;]*\b19(?:70|69)\b)/i;
const shortest = 8;

/**
 * Returns the cookie of the session that a login began, if its response set one under a name that is the same
 * in each run.
 */
export function sessionProof(visit: Visit, body: CapturedBody | null): Proof[] {
  if (!modifyingMethods.has(visit.entry.request.method.toUpperCase()) || !sendsPassword(body)) return [];
  const before = new Map(visit.entry.request.cookies);
  // Redirects of a login may set a ticket, and delete it at their end.
  const last = new Map([visit, ...visit.hops].flatMap(cookiesSetBy).map((cookie) => [cookie.name, cookie]));
  const begun = [...last.values()].find(
    ({ name, value, isDeleted }) => !isDeleted && isSession(name, value) && before.get(name) !== value,
  );
  if (begun === undefined) return [];
  const { name, url } = begun;
  return [{ kind: "session", cookie: name, url, isReplaced: before.has(name) }];
}

/** Returns true for a body with a password that is not empty. */
export function sendsPassword(body: CapturedBody | null): boolean {
  return atomsOfBody(body).some(({ name, value }) => isPasswordName(name) && (knownText(value) ?? "") !== "");
}

function isSession(name: string, value: string): boolean {
  const isNamed = sessionName.test(name) && !sharedName.test(name) && !isAnalyticsCookie(name);
  return isNamed && !isDistinctive(name) && value.length >= shortest;
}

function cookiesSetBy({ entry, url }: Visit): SetCookie[] {
  return (entry.response?.headers ?? [])
    .filter(([name]) => name.toLowerCase() === "set-cookie")
    .map(([, line]) => readCookie(line, url));
}

function readCookie(line: Header[1], url: URL): SetCookie {
  const [pair = "", ...attributes] = line.split(";");
  const equals = pair.indexOf("=");
  const path = attributes.map((text) => /^\s*path\s*=\s*(\/.*?)\s*$/i.exec(text)?.[1]).find(Boolean);
  return {
    name: pair.slice(0, Math.max(equals, 0)).trim(),
    value: pair.slice(equals + 1).trim(),
    url: url.origin + (path ?? new URL(".", url).pathname),
    isDeleted: isDeletion.test(line),
  };
}
