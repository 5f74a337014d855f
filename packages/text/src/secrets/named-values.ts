import { isPlainWords } from "./plain-words.ts";
import type { Span } from "./span.ts";

/** A value with its name, in a text of any format. */
export interface NamedValue extends Span {
  readonly name: string;
  /** The value as it is written; escapes are not decoded. */
  readonly text: string;
}

/** `name=value`, `name="value"`, `"name": "value"`, `name: "value"`, `name: value`: forms, attributes, GraphQL, YAML. */
const assignment =
  /(?<![\w\u00c0-\u1fff\u3041-\ud7ff.[\]-])([\w\u00c0-\u1fff\u3041-\ud7ff.[\]-]{1,64})\\{0,3}["']?[ \t]{0,8}([=:])(?!\/\/)[ \t]{0,8}(?:"((?:[^"\\\r\n]|\\.){1,4096})|\\{1,3}"([^"\\\r\n]{1,4096})|'((?:[^'\\\r\n]|\\.){1,4096})|([^\s&;,"'<>()[\]{}\\]{1,8192}))/g;
/** A parameter of an address or form. It may contain characters that end values elsewhere. */
const parameter = /(?<=^|[?&#\n])([\w\u00c0-\u1fff\u3041-\ud7ff.[\]%-]{1,100})=([^&#\s"<>]{1,8192})/g;
/** `<password>value</password>`, with any namespace prefix and attributes. */
const element =
  /<(?:[\w.-]{1,64}:)?([\w\u00c0-\u1fff\u3041-\ud7ff.-]{1,64})(?:\s[^<>]{0,500})?>([^<>]{1,4096})<\//g;
/** A field of a multipart body. */
const multipartField =
  /\bname="([^"\r\n]{1,200})"[^\r\n]{0,300}\r?\n(?:[\w-]{1,40}:[^\r\n]{0,300}\r?\n){0,5}\r?\n/g;

/** An HTML form field, or a `meta` element. */
const htmlField = /<(?:input|button|meta)\s([^<>]{1,2000})>/gi;
const fieldName = /(?<![\w-])(?:name|id|property|http-equiv)\s{0,8}=\s{0,8}["']?([^"'\s<>]{1,200})/i;
const fieldValue =
  /(?<![\w-])(?:value|content)\s{0,8}=\s{0,8}(?:"([^"]{1,2000})|'([^']{1,2000})|([^"'\s>]{1,2000}))/i;

/** Finds everything that is written like a named value in a text that is not JSON. Most matches are false. */
export function findNamedValues(text: string): NamedValue[] {
  // Most texts are words and numbers only.
  if (!/[=:<]/.test(text)) return [];
  const found: NamedValue[] = [];
  for (const match of text.matchAll(assignment)) {
    const [whole, name = "", mark, double, escaped, single, bare] = match;
    const written = double ?? escaped ?? single ?? bare ?? "";
    const query = bare === undefined || text[match.index - 1] !== ";" ? -1 : bare.search(queryStart);
    const value = query < 0 ? written : written.slice(0, query);
    const end = match.index + whole.length - (written.length - value.length);
    if (bare !== undefined && isPortOf(bare, whole, text, match.index)) continue;
    if (bare !== undefined && mark === ":" && !isLikelySecret(bare)) continue;
    if (bare !== undefined && isExpression(bare, text.charAt(end), /[\s:]/.test(whole))) continue;
    found.push({ name, text: value, start: end - value.length, end });
  }
  for (const { index, 0: whole, 1: name = "", 2: value = "" } of text.includes("=")
    ? text.matchAll(parameter)
    : []) {
    const end = index + whole.length;
    found.push({ name: name.replace(/%5[bd]/gi, "_"), text: value, start: end - value.length, end });
  }
  for (const match of text.matchAll(element)) {
    const end = match.index + match[0].length - "</".length;
    const value = match[2] ?? "";
    found.push({ name: match[1] ?? "", text: value, start: end - value.length, end });
  }
  for (const match of text.includes('name="') ? text.matchAll(multipartField) : []) {
    const start = match.index + match[0].length;
    const end = text.indexOf("\r\n--", start);
    const until = end < 0 ? text.length : end;
    found.push({ name: match[1] ?? "", text: text.slice(start, until), start, end: until });
    if (end < 0) break;
  }
  for (const { index, 0: tag, 1: attributes = "" } of text.matchAll(htmlField)) {
    const value = fieldValue.exec(attributes);
    if (value === null) continue;
    const inner = value[1] ?? value[2] ?? value[3] ?? "";
    const end = index + tag.length - 1 - attributes.length + value.index + value[0].length;
    found.push({ name: fieldName.exec(attributes)?.[1] ?? "", text: inner, start: end - inner.length, end });
  }
  return found;
}

/** The query after a parameter of a path's segment, as in `list.do;jsessionid=…?view=all`. */
const queryStart = /\?[\w.[\]%-]*=/;

/** A variable and its properties: `row.password`. */
const memberPath = /^[A-Za-z_$][\w$]*(?:[?!]?\.[A-Za-z_$][\w$]*)+[?!]*$/;

/**
 * True for source code: a call such as `token = read("x")`, or `password: row.password`; a form would write
 * no space there.
 */
function isExpression(value: string, next: string, isSpaced: boolean): boolean {
  if (next === "(" || (next === "[" && isSpaced)) return /^[\w$.?!]+$/.test(value);
  return isSpaced && memberPath.test(value) && isPlainWords(value.replace(/[?!$]/g, ""));
}

const portAtStart = /^\d{1,5}(?![^/?#])/;
const hostAndPort = /^[\w-]+(?:\.[\w-]+)+:\d/;

/**
 * True for the port after a host, which is no named value: `http://auth.example:8081/realms`,
 * `auth.example:8081/realms`.
 */
function isPortOf(value: string, assigned: string, text: string, at: number): boolean {
  if (!portAtStart.test(value)) return false;
  return hostAndPort.test(assigned) || (text.endsWith("//", at) && /^[\w.-]+:/.test(assigned));
}

/** False for plain words: in prose, a word follows a colon, as in `the code: see below`. */
function isLikelySecret(value: string): boolean {
  return value.length >= 6 && /[\d!-/@^_~]/.test(value);
}
