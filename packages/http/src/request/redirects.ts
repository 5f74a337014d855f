import { becomesGet, redirectStatuses } from "@bearhug/sdk/internal";

/** The target of a redirect. */
export interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly keepsBody: boolean;
}

/** The end of a login form's path: `/login`, `/users/sign_in`, `/wp-login.php`. */
const loginForm =
  /(?:^|\/)(?:(?:wp-)?log[-_]?[io]n|sign[-_]?[io]n|sessions?\/new)(?:\.\w+)?(?:\/(?:index|default)\.\w+|\/referer\/[^/]+)?$/i;
/** The end of the path of a service that logs in users of several sites: `/realms/shop/auth`. */
const loginService = /(?:^|\/)(?:sso|auth|authorize)(?:\.\w+)?$/i;
/** The end of a path to which login forms are sent. */
const loginAction =
  /(?:^|\/)(?:(?:wp-)?log[-_]?[io]n|sign[-_]?[io]n|sessions?|authenticate|j_(?:spring_)?security_check)(?:\.\w+)?(?:\/index\.\w+)?$/i;

/** Paths whose visitor expects a login page: those of logging in itself, and of logging out. */
const ofSessions =
  /(?:log|sign)[-_]?(?:in|out|off)|(?<![a-z])(?:(?:log|sign)[-_]?on|sso)(?![a-z])|auth(?:[nz]?(?![a-z])|enti|ori[sz])|session/i;

/**
 * Returns the target of a redirect, by RFC 9110 (section 15.4) as browsers implement it; null if there is
 * none, or if it is not a valid HTTP address.
 */
export function nextHop(status: number, location: string | null, method: string, from: URL): Hop | null {
  if (!redirectStatuses.has(status) || location === null || location.trim() === "") return null;
  const url = URL.parse(escapeBytes(location), from.href);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return null;
  if (url.hash === "") url.hash = from.hash;
  // Browsers do not send credentials from a Location without a challenge, and messages must not show them.
  url.username = "";
  url.password = "";
  const dropsBody = becomesGet(status, method);
  return { method: dropsBody ? "GET" : method, url, keepsBody: !dropsBody };
}

/** Returns true for a redirect without a target. Browsers show such a page, and `refresh` in it leads on. */
export function leadsNowhere(
  status: number,
  method: string,
  { locations, refresh }: { readonly locations: readonly string[]; readonly refresh: string | null },
): boolean {
  // Google's uploads use it to ask for the next part.
  if (status === 308 && method !== "GET" && method !== "HEAD") return false;
  return refresh === null && locations.every((location) => location.trim() === "");
}

/** Returns true if a response names different targets: an attacker may have injected one of them. */
export function isAmbiguous(locations: readonly string[]): boolean {
  return new Set(locations.filter((location) => location !== "")).size > 1;
}

/** Percent-encodes the bytes beyond ASCII, so that the server gets them back in its own charset. */
function escapeBytes(location: string): string {
  return location.replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Returns true if a visitor of the path `from` who is redirected to the path `to` is probably not logged in,
 * but should be.
 */
export function isSentToLogin(from: string, to: string): boolean {
  const end = partsOf(to).join("/");
  return (loginForm.test(end) || loginService.test(end)) && !ofSessions.test(partsOf(from).join("/"));
}

/** Returns true if a form sent to the path `from` and redirected to the path `to` is probably a failed login. */
export function isSentBackToLogin(from: string, to: string): boolean {
  return loginAction.test(partsOf(from).join("/")) && loginForm.test(partsOf(to).join("/"));
}

/** The last part of an error page's path, or one of its folders. */
const errorPage =
  /^(?:(?:custom|generic|internal|server|unexpected)?[-_]?(?:server)?[-_]?error(?:[-_]?page)?|(?:page)?[-_]?not[-_]?found|(?:service)?[-_]?unavailable|maintenance|access[-_]?denied|forbidden|unauthori[sz]ed|too[-_]?many[-_]?requests|rate[-_]?limit(?:ed)?|captcha|blocked|oops|sorry)(?:\.\w+)?$/i;
const errorFolder = /^errors?$/i;
/** A page whose file is named for a status. Without an extension, it may be the id of an object. */
const errorFile = /^(?:4(?:[0-3]\d|51)|5[0-2]\d|[45][0x]x)\.(?:s?html?|php|aspx?|jsp)$/i;
/** Folders of pages that are about errors, or that have such titles. */
const contentFolder =
  /^(?:docs?|documentation|reference|guides?|help|wiki|blog|news|articles?|posts?|topics?|tags?|categor(?:y|ies)|products?|services?|songs?|movies?|books?)$/i;

/** Returns true if a path looks like that of an error page: servers redirect to such pages, with status 200. */
export function isErrorPage(path: string): boolean {
  const parts = partsOf(path);
  const last = parts.at(-1) ?? "";
  if (parts.slice(0, -1).some((part) => contentFolder.test(part))) return false;
  return errorPage.test(last) || errorFile.test(last) || parts.some((part) => errorFolder.test(part));
}

/**
 * Returns true for a redirect to the right spelling of the same address: with or without a last slash or
 * `www.`, or with TLS. A POST that becomes a GET on the way was not meant to. With another query, it is the page
 * that an application shows after it has taken the POST.
 */
export function isRespelled(from: URL, to: URL): boolean {
  const [before, after] = [from, to].map(({ hostname, pathname }) =>
    `${hostname.replace(/^www\./, "")}${pathname}`.replace(/\/$/, ""),
  );
  if (before !== after || (to.search !== "" && to.search !== from.search)) return false;
  return from.pathname !== to.pathname || from.origin !== to.origin;
}

/** Returns the parts of a path without its query, and without parameters such as `;jsessionid=…`. */
function partsOf(path: string): string[] {
  return path
    .replace(/[?#].*$/, "")
    .replaceAll(/;[^/]*/g, "")
    .split("/")
    .filter((part) => part !== "");
}
