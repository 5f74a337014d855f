import { isSecretHeader } from "@bearhug/text/secrets/secret-names";
import type { Header } from "../capture.ts";
import { isBuildHeader } from "../secrets/build-headers.ts";
import { isRandomCookieName } from "../secrets/cookie-names.ts";
import { isRandomCookieValue } from "../secrets/known-secrets.ts";
import { redactUrl } from "./redact-url.ts";
import type { Redactor } from "./redactor.ts";

/** Headers that describe the exchange and not the user. */
const plain = new Set(
  [
    "accept accept-encoding accept-language accept-ranges age allow cache-control connection content-encoding",
    "content-language content-length content-type date etag expires host if-match if-modified-since if-none-match",
    "keep-alive last-modified pragma priority range content-range server-timing te transfer-encoding upgrade",
    "upgrade-insecure-requests vary x-requested-with access-control-allow-credentials access-control-allow-headers",
    "access-control-allow-methods access-control-request-headers access-control-request-method :method :scheme :status",
    "hx-target hx-trigger hx-trigger-name turbo-frame x-pjax-container",
    ":authority sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-user",
  ].flatMap((names) => names.split(" ")),
);
const addresses = new Set(
  [
    "location content-location referer origin :path",
    "next-url next-router-segment-prefetch hx-current-url hx-location hx-redirect",
  ].flatMap((names) => names.split(" ")),
);
/** Values that reveal nothing about anybody. */
const isSwitch = /^(?:.{0,2}|true|false|null|undefined)$/s;
const scheme = /^\s*(?:bearer|basic|digest|negotiate|token)\s+(?=\S)/i;

/** A header, cookie or parameter in the form that HAR uses. */
export interface WrittenPair {
  readonly name: string;
  readonly value: string;
}

/**
 * Redacts a list of headers: keeps the values of those that reveal nobody, and replaces all others by
 * placeholders.
 */
export function redactHeaders(
  headers: readonly Header[],
  redactor: Redactor,
  isRequest: boolean,
): WrittenPair[] {
  return headers.map(([name, value]) => ({
    name: redactor.text(name),
    value: redactHeader(name.toLowerCase(), value, redactor, isRequest),
  }));
}

function redactHeader(name: string, value: string, redactor: Redactor, isRequest: boolean): string {
  if (plain.has(name) || isBuildHeader(name)) return redactor.text(value, "", { mayBeRandom: true });
  if (addresses.has(name)) return redactUrl(value, redactor);
  if (name === "cookie")
    return value
      .split(";")
      .map((pair) => redactCookie(pair, redactor))
      .join(";");
  if (name === "set-cookie") return redactSetCookie(value, redactor);
  // A server responds differently without them: `rsc: 1`, `hx-request: true`.
  if (isSwitch.test(value) && !isSecretHeader(name)) return redactor.text(value, name);
  redactor.text(value, name, { isHeader: true });
  const schemeLength = scheme.exec(value)?.[0].length ?? 0;
  const credentials = value.slice(schemeLength);
  // A value that a page's script sends in its own header may be in a response under a harmless name.
  const isOwn = isRequest && /\d/.test(credentials) && !/[/:]/.test(credentials);
  const shown = isOwn ? redactor.wholeEverywhere(credentials) : redactor.whole(credentials);
  return value.slice(0, schemeLength) + shown;
}

function redactSetCookie(value: string, redactor: Redactor): string {
  const [pair = "", ...attributes] = value.split(";");
  return [redactCookie(pair, redactor), ...attributes.map((one) => redactor.text(one))].join(";");
}

function redactCookie(pair: string, redactor: Redactor): string {
  const equals = pair.indexOf("=");
  if (equals < 0) return redactCookieValue("", pair.trim(), redactor);
  const name = pair.slice(0, equals);
  return `${redactor.text(name)}=${redactCookieValue(name.trim(), pair.slice(equals + 1), redactor)}`;
}

/**
 * Redacts the value of a cookie. It counts as a secret elsewhere only if its name or looks say so, or if it
 * is random.
 */
export function redactCookieValue(name: string, value: string, redactor: Redactor): string {
  redactor.text(value, name);
  if (isRandomCookieName(name)) redactor.wholeEverywhere(name);
  const bare = value.replace(/^"(.*)"$/, "$1");
  return isRandomCookieValue(bare) ? redactor.wholeEverywhere(bare) : redactor.whole(value);
}
