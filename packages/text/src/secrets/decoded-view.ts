import type { Span } from "./span.ts";

/** Declared here because every JavaScript platform has it, and the SDK needs the types of none. */
declare const atob: (base64: string) => string;

/**
 * A text with one kind of escape decoded, and a mapping of its characters to the original. Decoded bytes
 * become one character each, so that a view can be cut anywhere.
 */
export interface DecodedView {
  readonly text: string;
  /**
   * Returns the span of the original text that the view's characters from `start` up to `end` were decoded
   * from.
   */
  readonly toOriginal: (span: Span) => Span;
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

/**
 * Returns the views of a text in which something was decoded, one for each kind of escape: percent,
 * backslash, HTML, base64.
 */
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

/**
 * Returns the view of a text with all kinds of escapes decoded at once, one level deep; empty if there are no
 * escapes.
 */
export function unescapedViews(text: string): DecodedView[] {
  const kinds = ["%", "\\", "&"].filter((mark) => text.includes(mark));
  if (kinds.length === 0) return [];
  return unescape(text, kinds[0] ?? "", anyEscape, decodeAny);
}

/**
 * Returns the possible meanings of a value after decoding one level of escapes: bytes as text, and `+` also
 * as a space.
 */
export function decodedMeanings(value: string): string[] {
  const decoded = decodedViews(value, { base64: false }).map(({ text }) => fromUtf8(text));
  const withSpaces = [value, ...decoded]
    .filter((text) => text.includes("+"))
    .map((text) => text.replaceAll("+", " "));
  return [...decoded, ...withSpaces].filter((text) => text !== "");
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
  /** The ends of the escapes in the view, and by how much the original text is longer up to each end. */
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
  const toOriginal = (index: number): number => {
    const escapes = countUpTo(ends, index);
    return index + (shifts[escapes - 1] ?? 0);
  };
  return [
    {
      text: decoded + text.slice(at),
      // If an escape stands for two characters and a span begins between them, the original span begins with
      // the escape.
      toOriginal: ({ start, end }) => ({
        start: toOriginal(start),
        end: Math.max(toOriginal(end), toOriginal(end - 1) + 1),
      }),
    },
  ];
}

/** Returns how many of the sorted numbers are at most `limit`. */
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

/**
 * Shorter runs need no decoding: `KnownTexts` also finds the base64 forms of texts. Longer runs may contain
 * escapes and more base64.
 */
const shortestRun = 32;
/** For each ASCII character, 1 if it is in one of the two base64 alphabets. */
const inBase64 = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z\d+/_-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * Returns a view for each run of base64. Every span in it maps to the whole run, because a part of a run is
 * useless.
 */
export function base64Views(text: string): DecodedView[] {
  return base64Runs(text).map((whole) => ({
    text: decodeBase64(text.slice(whole.start, whole.end)),
    toOriginal: () => whole,
  }));
}

/**
 * Finds runs of base64. It checks windows of the minimum length from the end, so that it skips most of a text
 * unread.
 */
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
 * Decodes base64 of either alphabet to bytes, one character each. Bits that do not fill a byte are left out.
 * Padding is removed first, because `atob` throws if its length is wrong.
 */
export function decodeBase64(base64: string): string {
  const standard = base64
    .replace(/[\s=]+/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  return atob(standard.length % 4 === 1 ? standard.slice(0, -1) : standard);
}

/** Declared here because every JavaScript platform has it, and the SDK needs the types of none. */
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

const decoder = new TextDecoder();
const replacement = "\ufffd";
/** The bytes of the replacement character itself. */
const replacementBytes = "\xef\xbf\xbd";

/**
 * Decodes bytes, given as one character each, as UTF-8; null if they are not UTF-8. Most candidates are not,
 * and a decoder that throws for them would take longer than all other work.
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
