import { unescapedViews } from "./decoded-view.ts";
import { findNamedValues, type NamedValue } from "./named-values.ts";
import { isPlainWords } from "./plain-words.ts";
import { findLiterals, literalAt } from "./program-literals.ts";
import { isPasswordName, isSchemeAlone, isSecretHeader, isSecretUnder } from "./secret-names.ts";
import { mergeSpans, type Span } from "./span.ts";

/** An address in a JSON text in a query. */
const maxDepth = 2;
const leastLength = 3;

/** A header on a line of its own, or in an object: its value ends with the line, or where a quote begins or ends. */
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
/** Names that are those of headers and of nothing else. */
const headerName = /-|^(?:authorization|cookie2?)$/i;

/**
 * `page`: HTML, with scripts in it. `source`: program text, in which only a literal is a value. `script`: a program or
 * style sheet that a site gives to everybody, in which names say nothing.
 */
export type TextKind = "prose" | "page" | "source" | "script";

/**
 * Values in a text that are secret by what they are called: headers that say who asks, parameters and fields such as
 * `token`, users and passwords in addresses. In order, none over another.
 */
export function findNamedSecrets(text: string, kind: TextKind = "prose"): Span[] {
  if (kind === "script") return [];
  if (kind === "source") return mergeSpans(findInSource(text));
  const scripts = kind === "page" ? findScripts(text) : [];
  if (scripts.length === 0) return mergeSpans(findIn(text, 0));
  const quoted = scripts.flatMap((script) =>
    findInSource(text.slice(script.start, script.end))
      .map(({ start, end }) => ({ start: script.start + start, end: script.start + end }))
      // Labels such as `password: "Password"`.
      .filter(({ start, end }) => !isPlainWords(text.slice(start, end))),
  );
  const around = findIn(text, 0).filter(
    ({ start, end }) => !scripts.some((script) => start < script.end && end > script.start),
  );
  return mergeSpans([...around, ...quoted]);
}

const scriptElement = /<(script|style)\b[^>]{0,2000}>/gi;

/** The contents of elements that hold programs and style sheets. Of one that was cut, all that is left. */
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

/** In program text names stand for values: only a literal is one. */
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
/** `sid=` of `cookie: "sid=" + sid`. */
const nameAlone = /^[\w.-]{1,64}=$/;
const expressionBehind = /^(?:\$\{|["'`]\s*\+)/;

/**
 * A literal, behind the name of a scheme at most, the parameter of an address in one, or a number. Words are secret under the
 * name of a password alone: `{ cookie: "session" }` says which one to read.
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
  if (nameAlone.test(value) && expressionBehind.test(text.slice(span.end, span.end + longestBefore)))
    return [];
  const name = nameBefore.exec(text.slice(from, start))?.[1];
  // `sessionId` is two words.
  const isWords = isPlainWords(value.replace(/([a-z])([A-Z])/g, "$1 $2"));
  return isWords && name !== undefined && !isPasswordName(name) ? [] : [span];
}

function findIn(text: string, depth: number): Span[] {
  if (text.length < leastLength || !/[=:@,&%<\\]|[a-z] /i.test(text)) return [];
  const found = [
    ...findFields(text),
    ...findHeld(text),
    ...findHeaders(text),
    ...findNamedBefore(text),
    ...findCredentials(text),
    ...findUserInfo(text),
  ];
  if (depth === maxDepth) return found;
  for (const view of unescapedViews(text)) {
    for (const span of findIn(view.text, depth + 1)) found.push(view.spelled(span));
  }
  return found;
}

function findFields(text: string, depth = 0): Span[] {
  return findNamedValues(text).flatMap((field) => {
    if (isSecretUnder(field.name, field.text, headerName.test(field.name)))
      return [withoutScheme(field.text, field)];
    return depth === maxDepth ? [] : findInAddress(field, depth);
  });
}

/** The parameters of an address that is a value itself: `next=/login?code=…`. */
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
/** `"tokens": ["…", "…"]`, `"token": { "value": "…" }`: values that go by the name of what holds them. */
const held = new RegExp(
  String.raw`"([\w\u00c0-\u1fff\u3041-\ud7ff.-]{2,64})"\s{0,20}:\s{0,20}(?:\[((?:\s{0,40}${item}\s{0,40},?){1,500})|\{\s{0,40}"(?:value|val|raw|data)"\s{0,20}:\s{0,20}(${item}))`,
  "g",
);
const items = new RegExp(item, "g");

function findHeld(text: string): Span[] {
  if (!/[[{]/.test(text)) return [];
  return [...text.matchAll(held)].flatMap(({ 0: whole, 1: name = "", 2: list, 3: one, index }) => {
    const inner = list ?? one ?? "";
    const first = index + whole.length - inner.length;
    return [...inner.matchAll(items)]
      .map(({ 0: quoted, index: at }) => ({ start: first + at + 1, end: first + at + quoted.length - 1 }))
      .filter(({ start, end }) => isSecretUnder(name, text.slice(start, end)));
  });
}

function findHeaders(text: string): Span[] {
  if (!text.includes(":")) return [];
  return [...text.matchAll(headerLine)].flatMap((match) => {
    const [whole, name = "", value = ""] = match;
    if (!headerName.test(name) || !isSecretHeader(name) || isSchemeAlone(value)) return [];
    const end = match.index + whole.length;
    const span = { start: end - value.length, end };
    return /cookie/i.test(name) ? findCookies(value, span.start) : findWord(value, span);
  });
}

/** `authorization: missing` is no header. */
function findWord(value: string, span: Span): Span[] {
  const secret = withoutScheme(value, span);
  const text = value.slice(secret.start - span.start).trimEnd();
  const hasScheme = secret.start > span.start;
  if (isPlainWords(text) && !hasScheme) return [];
  const [first = ""] = text.split(/[ \t]/, 1);
  // Credentials of several words have commas: `Digest username="x", realm=…`.
  const length = hasScheme ? text.length : first.length;
  return length < leastLength ? [] : [{ start: secret.start, end: secret.start + length }];
}

function findCookies(value: string, start: number): Span[] {
  return [...value.matchAll(pair)].flatMap(({ 0: whole, 1: name = "", 2: one = "", index }) => {
    if (cookieAttribute.test(name) || one.length < leastLength) return [];
    const end = start + index + whole.length;
    return [{ start: end - one.length, end }];
  });
}

function findNamedBefore(text: string): Span[] {
  if (!text.includes(",")) return [];
  return [...text.matchAll(nameThenValue)].flatMap(({ 0: whole, 1: name = "", 2: value = "", index }) => {
    if (!isSecretUnder(name, value, headerName.test(name)) || isPlainWords(value)) return [];
    const end = index + whole.length - 1;
    return [withoutScheme(value, { start: end - value.length, end })];
  });
}

function findCredentials(text: string): Span[] {
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

/** The name of the scheme of credentials, such as `Bearer`, is no secret. */
function withoutScheme(value: string, { start, end }: Span): Span {
  return { start: start + (scheme.exec(value)?.[0].length ?? 0), end };
}
