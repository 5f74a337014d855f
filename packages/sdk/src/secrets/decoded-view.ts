import type { Span } from "./span.ts";

/** Every JavaScript host has it; the SDK needs the types of none. */
declare const atob: (base64: string) => string;

/**
 * A text as it reads when one kind of escape is undone, and where each of its characters is spelled. What was bytes
 * is one character a byte: so a view can be cut anywhere.
 */
export interface DecodedView {
  readonly text: string;
  /** Where the spelling of the characters from `start` up to `end` stands in the text that was decoded. */
  readonly spelled: (span: Span) => Span;
}

const percent = /%([\dA-Fa-f]{2})/g;
const backslash = /\\(?:u([\dA-Fa-f]{4})|u\{([\dA-Fa-f]{1,6})\}|x([\dA-Fa-f]{2})|([^ux]))/g;
const namedEntities = new Map(
  Object.entries({
    quot: '"',
    amp: "&",
    lt: "<",
    gt: ">",
    apos: "'",
    sol: "/",
    bsol: "\\",
    plus: "+",
    equals: "=",
    commat: "@",
    num: "#",
    percnt: "%",
    dollar: "$",
    colon: ":",
    semi: ";",
    quest: "?",
    excl: "!",
    lowbar: "_",
    period: ".",
    comma: ",",
    ast: "*",
    hyphen: "-",
    lpar: "(",
    rpar: ")",
    nbsp: "\u00a0",
  }),
);
const entity = new RegExp(
  `&(?:#(\\d{1,7})|#[xX]([\\dA-Fa-f]{1,6})|(${[...namedEntities.keys()].join("|")}));`,
  "g",
);
const shortEscapes = new Map(
  Object.entries({ n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", "0": "\0" }),
);

type Decode = (match: RegExpExecArray) => string;

const decodePercent: Decode = ([, hex]) => fromHex(hex);
const decodeBackslash: Decode = ([, four, braced, two, one]) => fromBackslash(four ?? braced ?? two, one);
const decodeEntity: Decode = ([, decimal, hex, name]) => fromEntity(decimal, hex, name);

const anyEscape = new RegExp(`${percent.source}|${backslash.source}|${entity.source}`, "g");
const decodeAny: Decode = ([escape, byte, four, braced, two, one, decimal, hex, name]) => {
  if (escape.startsWith("%")) return fromHex(byte);
  return escape.startsWith("&") ? fromEntity(decimal, hex, name) : fromBackslash(four ?? braced ?? two, one);
};

function fromBackslash(hex: string | undefined, one = ""): string {
  return hex === undefined ? (shortEscapes.get(one) ?? one) : fromHex(hex);
}

function fromEntity(decimal: string | undefined, hex: string | undefined, name = ""): string {
  return decimal === undefined ? (namedEntities.get(name) ?? fromHex(hex)) : fromCode(Number(decimal));
}

/** Every reading of a text that differs from it, one kind of escape undone in each: percent, backslash, HTML, base64. */
export function decodedViews(
  text: string,
  { base64 = true }: { readonly base64?: boolean } = {},
): DecodedView[] {
  return [
    ...unescape(text, "%", percent, decodePercent),
    ...unescape(text, "\\", backslash, decodeBackslash),
    ...unescape(text, "&", entity, decodeEntity),
    ...(base64 ? base64Views(text) : []),
  ];
}

/** The reading of a text with one escape of every kind undone at every place; none where there is no escape. */
export function unescapedViews(text: string): DecodedView[] {
  const kinds = ["%", "\\", "&"].filter((mark) => text.includes(mark));
  if (kinds.length === 0) return [];
  return unescape(text, kinds[0] ?? "", anyEscape, decodeAny);
}

/** Returns the meanings of a value after one escape is decoded: bytes as text, and `+` also as a space. */
export function readingsOf(value: string): string[] {
  const decoded = decodedViews(value, { base64: false }).map(({ text }) => fromUtf8(text));
  const blanks = [value, ...decoded]
    .filter((text) => text.includes("+"))
    .map((text) => text.replaceAll("+", " "));
  return [...decoded, ...blanks].filter((text) => text !== "");
}

function fromUtf8(bytes: string): string {
  return /[^\0-\xff]/.test(bytes) ? bytes : (decodeUtf8(bytes) ?? bytes);
}

function fromHex(hex = ""): string {
  return fromCode(Number.parseInt(hex, 16));
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

function unescape(text: string, mark: string, escape: RegExp, decode: Decode): DecodedView[] {
  if (!text.includes(mark)) return [];
  /** Where in the view an escape ends, and by how much the spelling is longer up to there. */
  const ends: number[] = [];
  const shifts: number[] = [];
  let decoded = "";
  let at = 0;
  for (const match of text.matchAll(escape)) {
    decoded += text.slice(at, match.index) + decode(match);
    at = match.index + match[0].length;
    ends.push(decoded.length);
    shifts.push(at - decoded.length);
  }
  if (ends.length === 0) return [];
  const spell = (index: number): number => {
    const escapes = countUpTo(ends, index);
    return index + (shifts[escapes - 1] ?? 0);
  };
  return [
    {
      text: decoded + text.slice(at),
      // A span that begins within an escape of two characters begins with the escape.
      spelled: ({ start, end }) => ({ start: spell(start), end: Math.max(spell(end), spell(end - 1) + 1) }),
    },
  ];
}

/** How many of the sorted numbers are at most `limit`. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Shorter ones are found by how each known text looks in base64; long ones may hold escapes, and further base64. */
const shortestRun = 32;
/** For each ASCII character, 1 where base64 of either alphabet may have it. */
const inBase64 = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z\d+/_-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Runs of base64. A span within is spelled by the whole run: half of one is of no use to anybody. */
export function base64Views(text: string): DecodedView[] {
  return base64Runs(text).map((whole) => ({
    text: decodeBase64(text.slice(whole.start, whole.end)),
    spelled: () => whole,
  }));
}

/** Looks from behind at as many characters as a run has at least: most of a text is passed over unread. */
function base64Runs(text: string): Span[] {
  const runs: Span[] = [];
  let start = 0;
  while (start + shortestRun <= text.length) {
    let before = start + shortestRun - 1;
    while (before >= start && inBase64[text.charCodeAt(before)] === 1) before--;
    if (before >= start) {
      start = before + 1;
      continue;
    }
    let end = start + shortestRun;
    while (end < text.length && inBase64[text.charCodeAt(end)] === 1) end++;
    runs.push({ start, end });
    start = end + 1;
  }
  return runs;
}

/**
 * The bytes of base64 of either alphabet, one character each. What does not fill a byte is left out, and so is the padding:
 * `atob` refuses it where it has another length than the text asks for.
 */
export function decodeBase64(base64: string): string {
  const standard = base64
    .replace(/[\s=]+/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  return atob(standard.length % 4 === 1 ? standard.slice(0, -1) : standard);
}

/** Every JavaScript host has it; the SDK needs the types of none. */
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

const decoder = new TextDecoder();
const replacement = "\ufffd";
/** The replacement character itself. */
const replacementBytes = "\xef\xbf\xbd";

/**
 * The text of bytes, given as one character each; null where they are no UTF-8. A decoder that throws would take longer
 * over that than over all else: most of what might be base64 of a text is not.
 */
export function decodeUtf8(bytes: string): string | null {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  const codes = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) codes[at] = bytes.charCodeAt(at);
  const text = decoder.decode(codes);
  return countOf(text, replacement) === countOf(bytes, replacementBytes) ? text : null;
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}
