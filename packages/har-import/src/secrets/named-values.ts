import type { Span } from "./span.ts";

/** A value with its name in a text of any language. */
export interface NamedValue extends Span {
  readonly name: string;
  /** As it stands there: escapes are for others to undo. */
  readonly text: string;
}

/** `name=value`, `name="value"`, `"name": "value"`, `name: "value"`, `name: value`: forms, attributes, GraphQL, YAML. */
const assignment =
  /(?<![\w.[\]-])([\w.[\]-]{1,64})\\{0,3}["']?[ \t]{0,8}([=:])[ \t]{0,8}(?:\\{0,3}"([^"\\<>\r\n]{1,4096})|\\{0,3}'([^'\\<>\r\n]{1,4096})|([^\s&;,"'<>()[\]{}\\]{1,8192}))/g;
/** `<password>value</password>`, prefix and attributes left out. */
const element = /<(?:[\w.-]{1,64}:)?([\w.-]{1,64})(?:\s[^<>]{0,500})?>([^<>]{1,4096})<\//g;
/** A field of a multipart body. */
const multipartField =
  /\bname="([^"\r\n]{1,200})"[^\r\n]{0,300}\r?\n(?:[\w-]{1,40}:[^\r\n]{0,300}\r?\n){0,5}\r?\n/g;

/** The named values in a text that is no JSON: whatever is written like one. Most of them are none. */
export function findNamedValues(text: string): NamedValue[] {
  const found: NamedValue[] = [];
  for (const match of text.matchAll(assignment)) {
    const [whole, name = "", mark, double, single, bare] = match;
    const value = double ?? single ?? bare ?? "";
    if (bare !== undefined && mark === ":" && !isLikelySecret(bare)) continue;
    // An address is judged by what is in it.
    if (/^[\w.-]+:\/\//.test(`${name}:${value}`)) continue;
    const end = match.index + whole.length;
    found.push({ name, text: value, start: end - value.length, end });
  }
  for (const match of text.matchAll(element)) {
    const end = match.index + match[0].length - "</".length;
    const value = match[2] ?? "";
    found.push({ name: match[1] ?? "", text: value, start: end - value.length, end });
  }
  for (const match of text.matchAll(multipartField)) {
    const start = match.index + match[0].length;
    const end = text.indexOf("\r\n--", start);
    const until = end < 0 ? text.length : end;
    found.push({ name: match[1] ?? "", text: text.slice(start, until), start, end: until });
    if (end < 0) break;
  }
  return found;
}

/** In prose a colon is followed by a word: `the code: see below`. */
function isLikelySecret(value: string): boolean {
  return value.length >= 6 && /[\d!-/@^_~]/.test(value);
}
