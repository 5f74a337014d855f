import { modifyingMethods } from "@bearhug/sdk/internal";
import { isSecretHeader, isSecretName } from "@bearhug/text/secrets/secret-names";
import type { Header } from "../capture.ts";
import { isAnalyticsCookie } from "../secrets/cookie-names.ts";
import { isRandomCookieValue } from "../secrets/known-secrets.ts";
import { maskPath, showName } from "../secrets/mask-text.ts";
import { printable } from "../printable.ts";
import type { CapturedCookie, CapturedRequest, CapturedStep, CaptureModel } from "../capture-model.ts";
import { mapRequests, requestsOf } from "../map-atoms.ts";
import { textValue } from "../value.ts";
import type { PlannedVisit, Visit, VisitStep } from "../visit.ts";
import { noteMissingBodies } from "../missing-body.ts";
import { KnownAtoms } from "./known-atoms.ts";
import { findSessionPages } from "./session-pages.ts";
import { namesPage } from "./sending-page.ts";
import { sendsPassword } from "./session-proof.ts";
import { toRequest } from "./to-request.ts";

/** Returns the model with everything as recorded, secrets included. Later stages change it. */
export function draftModel(
  facts: Pick<CaptureModel, "origin" | "connections" | "omissions" | "findings" | "notes">,
  kept: readonly Visit[],
  steps: readonly VisitStep[],
): CaptureModel {
  const planned = steps.flatMap(({ waves }) => waves.flatMap(({ visits }) => visits));
  const visits = planned.map(({ visit }) => visit);
  const known = new KnownAtoms();
  const model: CaptureModel = {
    ...facts,
    hosts: [...new Set(kept.map(({ url }) => url.origin))],
    steps: steps.map((step) => draftStep(step, known)),
    cookies: findOwnCookies(visits),
    variables: [],
    sendsOrigin: visits.some(({ entry }) => namesPage(entry.request)),
    tables: [],
    notes: [
      ...noteMissingBodies(visits),
      ...facts.notes,
      ...noteMissingSession(visits),
      ...noteMissingLogin(visits),
    ],
  };
  return checkSessionPages(model, steps);
}

/**
 * Sets where the pages around a login have to end: pages for members reveal a lost session, while pages that
 * redirected to the login form do so only without a session and are not checked.
 */
function checkSessionPages(model: CaptureModel, steps: readonly VisitStep[]): CaptureModel {
  const logins = findLogins(model);
  const { toForm, membersOnly } = findSessionPages(steps, ({ entry }) => logins.has(entry.index));
  const ends = new Map<number, string | null>(toForm.map(({ entry }) => [entry.index, null]));
  for (const { entry, url } of membersOnly) ends.set(entry.index, url.pathname);
  const check = (request: CapturedRequest): CapturedRequest => {
    const landsOn = ends.get(request.entryIndex);
    const isOther = modifyingMethods.has(request.method) || landsOn === undefined;
    return isOther ? request : { ...request, landsOn };
  };
  return { ...model, ...mapRequests(model, check) };
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

function draftStep({ waves, ...step }: VisitStep, known: KnownAtoms): CapturedStep {
  return {
    ...step,
    waves: waves.map(({ afterMs, visits }) => ({
      afterMs,
      requests: visits.map((planned) => draftRequest(planned, known)),
    })),
  };
}

function draftRequest(
  { visit, outlasts, recorded }: PlannedVisit,
  known: KnownAtoms,
): ReturnType<typeof toRequest> {
  return { ...toRequest(visit, known), outlasts, recorded };
}

/** The cookie's name at the start of a Set-Cookie header. */
const setCookieName = /^\s*([^=;]+?)\s*=/;

/**
 * Returns the cookies that the browser had before the recording, or that a page's script set: those that no
 * earlier response had set. Each is listed once for a host, as it was first sent. Cookies that responses set
 * are set again in a replay.
 */
export function findOwnCookies(visits: readonly Visit[]): CapturedCookie[] {
  const setByResponse = new Set<string>();
  const own = new Map<string, CapturedCookie>();
  for (const { url, entry } of visits.flatMap((visit) => [visit, ...visit.hops])) {
    for (const [name, value] of entry.request.cookies) {
      const key = `${name} ${url.host}`;
      if (name === "" || setByResponse.has(name) || own.has(key)) continue;
      own.set(key, { name, origin: url.origin, value: textValue(value) });
    }
    for (const [header, value] of entry.response?.headers ?? []) {
      const name = header.toLowerCase() === "set-cookie" ? setCookieName.exec(value)?.[1] : undefined;
      if (name !== undefined) setByResponse.add(name);
    }
  }
  return [...own.values()];
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
  if (method.toUpperCase() !== "POST") return false;
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
    const session = cookies.find(([name, value]) => isSession(name, value) && !seen.has(`${name}=${value}`));
    if (page !== null && session !== undefined && hosts.has(host)) return [describeLogin(page, session)];
    if (modifyingMethods.has(method.toUpperCase())) page = null;
    else if (loginPage.test(pathname)) page = visit;
    hosts.add(host);
    for (const [name, value] of cookies) seen.add(`${name}=${value}`);
    for (const [header, value] of visit.entry.response?.headers ?? [])
      if (header.toLowerCase() === "set-cookie") seen.add((value.split(";", 1)[0] ?? "").trim());
  }
  return [];
}

/** Returns true for a cookie that is specific to the visitor, and not set for analytics. */
function isSession(name: string, value: string): boolean {
  return !isAnalyticsCookie(name) && isRandomCookieValue(value);
}

function describeLogin(page: Visit, [name]: Header): string {
  return `The capture has the login page ${printable(maskPath(page.url.pathname), 80)}, but not the request that logged in: later requests send a cookie, ${printable(showName(name), 40)}, that no response set. Safari leaves out requests that were redirected. Add the login by hand, or record it in another browser.`;
}
