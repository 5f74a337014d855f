import { decodeUtf8 } from "./decode-utf8.ts";
import type { Span } from "./span.ts";

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
const entity = /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|(quot|amp|lt|gt|apos));/g;
const shortEscapes = new Map(
  Object.entries({ n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", "0": "\0" }),
);
const namedEntities = new Map(Object.entries({ quot: '"', amp: "&", lt: "<", gt: ">", apos: "'" }));

/** Every reading of a text that differs from it, one escape undone in each: percent, backslash, HTML, base64. */
export function decodedViews(
  text: string,
  { base64 = true }: { readonly base64?: boolean } = {},
): DecodedView[] {
  return [
    ...unescape(text, "%", percent, ([, hex]) => fromHex(hex)),
    ...unescape(text, "\\", backslash, ([, four, braced, two, one = ""]) =>
      four === undefined && braced === undefined && two === undefined
        ? (shortEscapes.get(one) ?? one)
        : fromHex(four ?? braced ?? two),
    ),
    ...unescape(text, "&", entity, ([, decimal, hex, name = ""]) =>
      decimal === undefined ? (namedEntities.get(name) ?? fromHex(hex)) : fromCode(Number(decimal)),
    ),
    ...(base64 ? base64Views(text) : []),
  ];
}

/** What a value may mean once an escape is undone: bytes as the text that they are, `+` as a blank as well. */
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

function unescape(
  text: string,
  mark: string,
  escape: RegExp,
  decode: (match: RegExpExecArray) => string,
): DecodedView[] {
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
const base64Run = /(?<![A-Za-z\d+/_-])[A-Za-z\d+/_-]{32,}/g;

/** Runs of base64. A span within is spelled by the whole run: half of one is of no use to anybody. */
function base64Views(text: string): DecodedView[] {
  return [...text.matchAll(base64Run)].map(({ 0: run, index }) => {
    const whole = { start: index, end: index + run.length };
    return { text: decodeBase64(run), spelled: () => whole };
  });
}

/** The bytes of base64 of either alphabet, one character each. What does not fill a byte is left out. */
export function decodeBase64(base64: string): string {
  const standard = base64.replaceAll("-", "+").replaceAll("_", "/");
  return atob(standard.length % 4 === 1 ? standard.slice(0, -1) : standard);
}
