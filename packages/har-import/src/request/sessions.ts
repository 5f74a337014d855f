import { modifyingMethods } from "@bearhug/sdk/internal";
import { isPasswordName, isSecretHeader, isSecretName } from "@bearhug/text/secrets/secret-names";

import { lastOf, type Visit, type VisitStep } from "../visit.ts";
import { atomsOfBody, mapRequests, requestsOf } from "../map-atoms.ts";
import type { CapturedBody, Proof, CapturedRequest, CaptureModel } from "../capture-model.ts";
import { cookiesSetBy, type Header } from "../capture.ts";
import { isAnalyticsCookie } from "../secrets/cookie-names.ts";
import { isDistinctive } from "../secrets/random-text.ts";
import { knownText } from "../value.ts";
import { isRandomCookieValue } from "../secrets/known-secrets.ts";
import { maskPath, showName } from "../secrets/mask-text.ts";
import { printable } from "../printable.ts";
import { contentType } from "../response-type.ts";
import { isPathOfWords } from "./landing-path.ts";
import { landingQueryOf } from "./landing-query.ts";

/**
 * Sets where the pages around a login have to end: pages for members reveal a lost session, while pages that
 * redirected to the login form do so only without a session and are not checked.
 */
export function checkSessionPages(model: CaptureModel, steps: readonly VisitStep[]): CaptureModel {
  const logins = findLogins(model);
  const { toForm, membersOnly, formPath } = findSessionPages(steps, ({ entry }) => logins.has(entry.index));
  const ends = new Map<number, Landing>(toForm.map(({ entry }) => [entry.index, { landsOn: null }]));
  for (const { entry, url } of membersOnly) ends.set(entry.index, landingAt(url, formPath));
  const check = (request: CapturedRequest): CapturedRequest => {
    const landing = ends.get(request.entryIndex);
    const isOther = modifyingMethods.has(request.method) || landing === undefined;
    return isOther ? request : { ...request, ...landing };
  };
  return mapRequests(model, check);
}

type Landing = Pick<CapturedRequest, "landsOn" | "landingQuery">;

/** Returns where a page for members ends. Its path may also be that of the login form. */
function landingAt(url: URL, formPath: string | null): Landing {
  const query = url.pathname === formPath ? landingQueryOf(url) : "";
  return { landsOn: url.pathname, ...(query === "" ? {} : { landingQuery: query }) };
}

/**
 * Returns the requests that began a session: known by its cookie or, if the site keeps an earlier cookie, by
 * the password.
 */
function findLogins(model: CaptureModel): ReadonlySet<number> {
  const requests = requestsOf(model);
  const proven = requests.filter(({ proofs }) => proofs.some(({ kind }) => kind === "session"));
  const logins = proven.length > 0 ? proven : requests.filter(mayLogIn);
  return new Set(logins.map(({ entryIndex }) => entryIndex));
}

function mayLogIn({ method, body, recordedStatus }: CapturedRequest): boolean {
  const isAccepted = recordedStatus !== null && recordedStatus < 400;
  return isAccepted && modifyingMethods.has(method) && sendsPassword(body);
}

const isJson = /[/+]json$/;
const logout = /\/(?:log|sign)-?_?(?:out|off)(?:[/.]|$)/i;

/** Pages that differ for visitors with and without a session. */
interface SessionPages {
  /** Pages that redirected to the login form. A visitor who still has a session is not redirected there. */
  readonly toForm: readonly Visit[];
  /**
   * Pages, or JSON, that reveal a lost session, of those whose path is the same in each run: a visitor without
   * a session is redirected from there to the login form, and gets a 200 as well.
   */
  readonly membersOnly: readonly Visit[];
  /** The path of the login form; null if there is none. */
  readonly formPath: string | null;
}

function findSessionPages(steps: readonly VisitStep[], isLogin: (visit: Visit) => boolean): SessionPages {
  const pages = new Set(steps.filter(({ kind }) => kind === "page").flatMap(firstVisit));
  const visits = steps.flatMap(visitsOf);
  const login = visits.findLastIndex(isLogin);
  if (login < 0) return { toForm: [], membersOnly: [], formPath: null };
  const before = visits.slice(0, login);
  const form = before.findLast((visit) => pages.has(visit));
  const formPath = form === undefined ? null : lastOf(form).url.pathname;
  // A site may have all its pages at the path of its login form: `/index.php?route=account/login`.
  const placeOf = (url: URL): string =>
    url.pathname === formPath ? `${url.pathname}?${landingQueryOf(url)}` : url.pathname;
  const formPlace = form === undefined ? null : placeOf(lastOf(form).url);
  const toForm = before.filter((visit) => visit.hops.length > 0 && placeOf(lastOf(visit).url) === formPlace);
  const after = visits.slice(login + 1);
  const end = after.findIndex(({ url }) => logout.test(url.pathname));
  const inSession = after
    .slice(0, end < 0 ? after.length : end)
    .filter((visit) => showsItself(visit) && placeOf(visit.url) !== formPlace);
  const ownPages = inSession.filter((visit) => pages.has(visit));
  // After its login, an application of a single page loads only data.
  const shown = ownPages.length > 0 ? ownPages : dataOf(inSession);
  const loggedOut = visits.slice(0, visits.findIndex(isLogin));
  return {
    toForm,
    membersOnly: chooseMembersOnly(shown, loggedOut.filter(showsItself), toForm, placeOf),
    formPath,
  };
}

/** Returns the loads of JSON, without those of files, such as translations, unless there are no others. */
function dataOf(visits: readonly Visit[]): Visit[] {
  const loads = visits.filter(({ entry }) => isJson.test(contentType(entry)));
  // Files are usually open to everyone.
  const ofServices = loads.filter(({ url }) => !url.pathname.endsWith(".json"));
  return ofServices.length > 0 ? ofServices : loads;
}

/**
 * Chooses the last page that was not `open` to a visitor without a session, and the last that was certainly
 * `closed`. If all were open, the last one may still show something else to a visitor with a session.
 */
function chooseMembersOnly(
  shown: readonly Visit[],
  open: readonly Visit[],
  closed: readonly Visit[],
  placeOf: (url: URL) => string,
): Visit[] {
  const placesOf = (visits: readonly Visit[]): ReadonlySet<string> =>
    new Set(visits.map(({ url }) => placeOf(url)));
  const [openPlaces, closedPlaces] = [placesOf(open), placesOf(closed)];
  const last = shown.findLast(({ url }) => !openPlaces.has(placeOf(url))) ?? shown.at(-1);
  const lastClosed = shown.findLast(({ url }) => closedPlaces.has(placeOf(url)));
  return [last, lastClosed].filter((visit) => visit !== undefined);
}

function visitsOf({ waves }: VisitStep): Visit[] {
  return waves.flatMap(({ visits }) => visits.map(({ visit }) => visit));
}

function firstVisit(step: VisitStep): Visit[] {
  return visitsOf(step).slice(0, 1);
}

function showsItself({ entry, url, hops }: Visit): boolean {
  const isShown = entry.request.method === "GET" && entry.response?.status === 200;
  return isShown && hops.length === 0 && isPathOfWords(url.pathname);
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
  if (!modifyingMethods.has(visit.entry.request.method) || !sendsPassword(body)) return [];
  const before = new Map(visit.entry.request.cookies);
  // Redirects of a login may set a ticket, and delete it at their end.
  const set = [visit, ...visit.hops].flatMap(({ entry, url }) =>
    cookiesSetBy(entry).map((cookie) => [cookie.name, { ...cookie, url }] as const),
  );
  const begun = [...new Map(set).values()].find(
    ({ name, value, line }) => !isDeletion.test(line) && isSession(name, value) && before.get(name) !== value,
  );
  if (begun === undefined) return [];
  const { name, line, url } = begun;
  return [{ kind: "session", cookie: name, url: urlOfCookie(line, url), isReplaced: before.has(name) }];
}

/** Returns true for a body with a password that is not empty. */
function sendsPassword(body: CapturedBody | null): boolean {
  return atomsOfBody(body).some(({ name, value }) => isPasswordName(name) && (knownText(value) ?? "") !== "");
}

function isSession(name: string, value: string): boolean {
  const isNamed = sessionName.test(name) && !sharedName.test(name) && !isAnalyticsCookie(name);
  return isNamed && !isDistinctive(name) && value.length >= shortest;
}

/** Returns the path for which a response sets a cookie, with its origin. */
function urlOfCookie(line: string, url: URL): string {
  const attributes = line.split(";").slice(1);
  const path = attributes.map((text) => /^\s*path\s*=\s*(\/.*?)\s*$/i.exec(text)?.[1]).find(Boolean);
  return url.origin + (path ?? new URL(".", url).pathname);
}

const note =
  "The capture logs in, but none of its requests has a cookie or an Authorization header. Browsers leave these out unless you export with sensitive data. The test keeps the cookies that the site sets; add other credentials by hand.";

const loginPath = /\/(log-?in|sign-?in|auth|sessions?|token)(\/|$)/i;

/**
 * Returns a sentence if the capture logs in but has neither cookies nor credentials, like Chrome's default
 * export.
 */
export function noteMissingSession(visits: readonly Visit[]): string[] {
  const all = visits.flatMap((visit) => [visit, ...visit.hops]);
  return all.some(logsIn) && !all.some(carriesCredentials) ? [note] : [];
}

function logsIn({ entry, url }: Visit): boolean {
  const { method, postData } = entry.request;
  if (method !== "POST") return false;
  return loginPath.test(url.pathname) || (postData?.params ?? []).some(({ name }) => isSecretName(name));
}

function carriesCredentials({ entry }: Visit): boolean {
  const { headers, cookies } = entry.request;
  const responseHeaders = entry.response?.headers ?? [];
  return cookies.length > 0 || [...headers, ...responseHeaders].some(([name]) => isSecretHeader(name));
}

const loginPage = /(?:^|[/_.-])(?:log-?[io]n|sign-?[io]n)(?:[/_.-]|$)/i;

/**
 * Returns a sentence if a session cookie appears after the page of a login although no response set it:
 * Safari leaves out requests that were redirected, such as a form that logs in.
 */
export function noteMissingLogin(visits: readonly Visit[]): string[] {
  const seen = new Set<string>();
  const hosts = new Set<string>();
  let page: Visit | null = null;
  for (const visit of visits.flatMap((one) => [one, ...one.hops])) {
    const { host, pathname } = visit.url;
    const { method, cookies } = visit.entry.request;
    // This is the login itself, whatever cookie it sends: a masked one differs from the one that was set.
    if (logsIn(visit)) page = null;
    const session = cookies.find(
      ([name, value]) => isOfVisitor(name, value) && !seen.has(`${name}=${value}`),
    );
    if (page !== null && session !== undefined && hosts.has(host)) return [describeLogin(page, session)];
    if (modifyingMethods.has(method)) page = null;
    else if (loginPage.test(pathname)) page = visit;
    hosts.add(host);
    for (const [name, value] of cookies) seen.add(`${name}=${value}`);
    for (const { name, value } of cookiesSetBy(visit.entry)) seen.add(`${name}=${value}`);
  }
  return [];
}

/** Returns true for a cookie that is specific to the visitor, and not set for analytics. */
function isOfVisitor(name: string, value: string): boolean {
  return !isAnalyticsCookie(name) && isRandomCookieValue(value);
}

function describeLogin(page: Visit, [name]: Header): string {
  return `The capture has the login page ${printable(maskPath(page.url.pathname), 80)}, but not the request that logged in: later requests send a cookie, ${printable(showName(name), 40)}, that no response set. Safari leaves out requests that were redirected. Add the login by hand, or record it in another browser.`;
}
