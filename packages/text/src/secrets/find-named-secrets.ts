import { unescapedViews } from "./decoded-view.ts";
import { findNamedValues, type NamedValue } from "./named-values.ts";
import { isPlainWords } from "./plain-words.ts";
import { findLiterals, literalAt } from "./program-literals.ts";
import { isPasswordName, isSchemeAlone, isSecretHeader, isSecretValue } from "./secret-names.ts";
import { mergeSpans, type Span } from "./span.ts";

/** The levels of nesting that are searched, such as an address in JSON in a query. */
const maxDepth = 2;
const minLength = 3;

/** A header on a separate line or in an object. Its value ends with the line or at a quote. */
const headerLine =
  /(?<![\w-])([A-Za-z][\w-]{2,63})["']?[ \t]{0,4}:[ \t]{0,4}["']?([^\r\n"'<>\\{}[\]]{1,8192})/g;
/** `set("x-api-key", "…")`, `["authorization", "…"]`. */
const nameThenValue = /["'`]([\w.-]{2,64})["'`]\s{0,4},\s{0,4}["'`]([^"'`\\\r\n]{1,4096})["'`]/g;
const credentials =
  /(?<![\w-])(?:bearer|basic|negotiate|digest|token|apikey)[ \t]{1,8}([\w.~+/=:-]{8,8192})/gi;
const scheme = /^[ \t]*(?:bearer|basic|digest|negotiate|token|apikey|aws4-hmac-sha256)[ \t]+(?=\S)/i;
const userInfo = /\/\/([^/\s@?#"'<>]{1,500})@/g;
const pair = /([^=;,\s]{1,100})=([^;,\s]{1,4096})/g;
/** The attributes of a cookie, which hold no secrets. */
const cookieAttribute = /^(?:path|domain|expires|max-age|samesite|priority)$/i;
/** Names that only headers have. */
const headerName = /-|^(?:authorization|cookie2?)$/i;

/**
 * `page`: HTML with scripts. `source`: source code, in which only literals are values. `script`: a program or
 * style sheet that a site sends to everybody, so that its names do not indicate secrets.
 */
export type TextKind = "prose" | "page" | "source" | "script";

/**
 * Finds values that are secret because of their names: headers with credentials, parameters and fields such
 * as `token`, users and passwords in addresses. The spans are sorted and do not overlap.
 */
export function findNamedSecrets(text: string, kind: TextKind = "prose"): Span[] {
  if (kind === "script") return [];
  if (kind === "source") return mergeSpans(findInSource(text));
  const scripts = kind === "page" ? findScripts(text) : [];
  if (scripts.length === 0) return mergeSpans(findIn(text, 0));
  const quoted = scripts.flatMap((script) =>
    findInSource(text.slice(script.start, script.end))
      .map(({ start, end }) => ({ start: script.start + start, end: script.start + end }))
      // Labels such as `password: "Password"` are no secrets.
      .filter(({ start, end }) => !isPlainWords(text.slice(start, end))),
  );
  const around = findIn(text, 0).filter(
    ({ start, end }) => !scripts.some((script) => start < script.end && end > script.start),
  );
  return mergeSpans([...around, ...quoted]);
}

const scriptElement = /<(script|style)\b[^>]{0,2000}>/gi;

/**
 * Finds the contents of `script` and `style` elements; if the text was cut within one, up to the end of the
 * text.
 */
function findScripts(text: string): Span[] {
  const found: Span[] = [];
  let end = 0;
  for (const { 0: tag, 1: name = "", index } of text.matchAll(scriptElement)) {
    if (index < end) continue;
    const start = index + tag.length;
    const rest = text.slice(start).search(name.toLowerCase() === "script" ? /<\/script/i : /<\/style/i);
    end = rest < 0 ? text.length : start + rest;
    found.push({ start, end });
  }
  return found;
}

/** In source code, names stand for variables: only literals are values. */
function findInSource(text: string): Span[] {
  const found = findIn(text, maxDepth);
  if (found.length === 0) return [];
  const literals = findLiterals(text);
  return found.flatMap((span) => valueIn(text, span, literals));
}

const quoteBefore = /["'`](?:[\w-]+[ \t]+|[a-z][a-z\d+.-]{1,20}:\/\/)?$/i;
const parameterBefore = /[?&][\w.[\]%-]+=$/;
const nameBefore = /([\p{L}\p{N}_$.-]+)["'`]?\s*[=:]\s*["'`]?$/u;
const longestBefore = 60;
/** A literal that has only a name, such as `sid=` in `cookie: "sid=" + sid`. */
const nameAlone = /^[\w.-]{1,64}=$/;
const expressionAfter = /^(?:\$\{|["'`]\s*\+)/;

/**
 * Returns the value at a span of source code, if it is a number, a literal (perhaps after an authentication
 * scheme), or a parameter of an address in a literal. Words are secret only under the name of a password:
 * `{ cookie: "session" }` names the cookie to read.
 */
function valueIn(text: string, { start: first, end }: Span, literals: readonly Span[]): Span[] {
  if (/^\d{4,}$/.test(text.slice(first, end))) return [{ start: first, end }];
  const start = text.charAt(first) === "`" ? first + 1 : first;
  const literal = literalAt(literals, start);
  if (literal === undefined) return [];
  const span = { start, end: Math.min(end, literal.end) };
  const value = text.slice(start, span.end);
  const from = Math.max(0, start - longestBefore);
  const inLiteral = text.slice(Math.max(from, literal.start - 1), start);
  if (!/[\p{L}\p{N}]/u.test(value) || !(quoteBefore.test(inLiteral) || parameterBefore.test(inLiteral)))
    return [];
  if (nameAlone.test(value) && expressionAfter.test(text.slice(span.end, span.end + longestBefore)))
    return [];
  const name = nameBefore.exec(text.slice(from, start))?.[1];
  // `sessionId` is two words.
  const isWords = isPlainWords(value.replace(/([a-z])([A-Z])/g, "$1 $2"));
  return isWords && name !== undefined && !isPasswordName(name) ? [] : [span];
}

function findIn(text: string, depth: number): Span[] {
  if (text.length < minLength) return [];
  // Most texts are words only, in which credentials have no other mark than a scheme before them.
  if (!/[=:@,&%<\\]/.test(text)) return findCredentials(text);
  const found = [
    ...findFields(text),
    ...findInNamedContainers(text),
    ...findHeaders(text),
    ...findAfterNames(text),
    ...findCredentials(text),
    ...findUserInfo(text),
  ];
  if (depth === maxDepth) return found;
  for (const view of unescapedViews(text)) {
    for (const span of findIn(view.text, depth + 1)) found.push(view.toOriginal(span));
  }
  return found;
}

function findFields(text: string, depth = 0): Span[] {
  return findNamedValues(text).flatMap((field) => {
    if (isSecretValue(field.name, field.text, headerName.test(field.name)))
      return [withoutScheme(field.text, field)];
    return depth === maxDepth ? [] : findInAddress(field, depth);
  });
}

/** Finds secret parameters of an address that is itself a value: `next=/login?code=…`. */
function findInAddress({ text, start }: NamedValue, depth: number): Span[] {
  const query = text.indexOf("?") + 1;
  if (query === 0) return [];
  const first = start + query;
  return findFields(text.slice(query), depth + 1).map((span) => ({
    start: first + span.start,
    end: first + span.end,
  }));
}

const item = String.raw`"(?:[^"\\\r\n]|\\.){1,4096}"`;
/**
 * `"tokens": ["…", "…"]`, `"token": { "value": "…" }`: values that are named by the array or object around
 * them.
 */
const namedContainer = new RegExp(
  String.raw`"([\w\u00c0-\u1fff\u3041-\ud7ff.-]{2,64})"\s{0,20}:\s{0,20}(?:\[((?:\s{0,40}${item}\s{0,40},?){1,500})|\{\s{0,40}"(?:value|val|raw|data)"\s{0,20}:\s{0,20}(${item}))`,
  "g",
);
const items = new RegExp(item, "g");

function findInNamedContainers(text: string): Span[] {
  if (!/[[{]/.test(text)) return [];
  return [...text.matchAll(namedContainer)].flatMap(({ 0: whole, 1: name = "", 2: list, 3: one, index }) => {
    const inner = list ?? one ?? "";
    const first = index + whole.length - inner.length;
    return [...inner.matchAll(items)]
      .map(({ 0: quoted, index: at }) => ({ start: first + at + 1, end: first + at + quoted.length - 1 }))
      .filter(({ start, end }) => isSecretValue(name, text.slice(start, end)));
  });
}

function findHeaders(text: string): Span[] {
  if (!text.includes(":")) return [];
  return [...text.matchAll(headerLine)].flatMap((match) => {
    const [whole, name = "", value = ""] = match;
    if (!headerName.test(name) || !isSecretHeader(name) || isSchemeAlone(value)) return [];
    const end = match.index + whole.length;
    const span = { start: end - value.length, end };
    return /cookie/i.test(name) ? findCookies(value, span.start) : findHeaderValue(value, span);
  });
}

/** Finds the credentials in a header's value. Plain words are none: `authorization: missing` is prose. */
function findHeaderValue(value: string, span: Span): Span[] {
  const secret = withoutScheme(value, span);
  const text = value.slice(secret.start - span.start).trimEnd();
  const hasScheme = secret.start > span.start;
  if (isPlainWords(text) && !hasScheme) return [];
  const [first = ""] = text.split(/[ \t]/, 1);
  // Credentials of several words have commas: `Digest username="x", realm=…`.
  const length = hasScheme ? text.length : first.length;
  return length < minLength ? [] : [{ start: secret.start, end: secret.start + length }];
}

function findCookies(value: string, start: number): Span[] {
  return [...value.matchAll(pair)].flatMap(({ 0: whole, 1: name = "", 2: one = "", index }) => {
    if (cookieAttribute.test(name) || one.length < minLength) return [];
    const end = start + index + whole.length;
    return [{ start: end - one.length, end }];
  });
}

function findAfterNames(text: string): Span[] {
  if (!text.includes(",")) return [];
  return [...text.matchAll(nameThenValue)].flatMap(({ 0: whole, 1: name = "", 2: value = "", index }) => {
    if (!isSecretValue(name, value, headerName.test(name)) || isPlainWords(value)) return [];
    const end = index + whole.length - 1;
    return [withoutScheme(value, { start: end - value.length, end })];
  });
}

function findCredentials(text: string): Span[] {
  if (text.search(credentials) === -1) return [];
  return [...text.matchAll(credentials)].flatMap(({ 0: whole, 1: value = "", index }) => {
    const end = index + whole.length;
    return isPlainWords(value) || !/[\d+/=._~]/.test(value) ? [] : [{ start: end - value.length, end }];
  });
}

function findUserInfo(text: string): Span[] {
  if (!text.includes("@")) return [];
  return [...text.matchAll(userInfo)].map(({ 1: info = "", index }) => ({
    start: index + "//".length,
    end: index + "//".length + info.length,
  }));
}

/** Returns a span without the scheme of credentials, such as `Bearer`, which is not secret. */
function withoutScheme(value: string, { start, end }: Span): Span {
  return { start: start + (scheme.exec(value)?.[0].length ?? 0), end };
}
