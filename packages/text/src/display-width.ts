import { eastAsianWidth } from "get-east-asian-width";

/**
 * Created when a text needs it: loading Unicode's tables takes 7 ms, and most texts have one column per
 * character.
 */
let segmenter: Intl.Segmenter | null = null;
/**
 * Latin letters, and the signs, spaces, lines and blocks of reports. Each is one UTF-16 unit, and none
 * combines with its neighbours.
 */
const narrow =
  /^[\x20-\x7e\xa0-\xac\xae-\xff\u2010-\u2027\u202f\u2190-\u2193\u2212\u2264\u2265\u2500-\u259f✓✗]*$/;
/**
 * Half a flag is no emoji; a keycap is one even without its variation selector. `\p{RGI_Emoji}` takes 10 ms
 * to compile.
 */
const emoji =
  /^(?!\p{Regional_Indicator}$)(?:.*?(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f)|[\d#*]\ufe0f?\u20e3)/su;
const visible = /[^\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
/**
 * Marks that take extra columns beside their base character: Indic vowel signs, and the sound marks of
 * half-width kana.
 */
const spacingMark = /[\p{Spacing_Mark}\uff00-\uffef]/u;

/**
 * Returns the width of a printable text in columns. Marks above or below a character take none; East Asian
 * wide characters and emoji take two.
 */
export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of segments(text)) columns += graphemeWidth(segment);
  return columns;
}

function segments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

function graphemeWidth(grapheme: string): number {
  if (emoji.test(grapheme)) return 2;
  const start = grapheme.search(visible);
  if (start === -1) return 0;
  const [base = "", ...others] = grapheme.slice(start);
  return [base, ...others.filter((character) => spacingMark.test(character))].reduce(
    (columns, character) => columns + eastAsianWidth(character.codePointAt(0) ?? 0),
    0,
  );
}

/**
 * Returns the longest beginning of `text` that fits into `columns`; at least one character, so that loops
 * over it end.
 */
export function takeColumns(text: string, columns: number): string {
  const parts = split(text);
  const taken = fitting(parts, columns);
  return (taken.length > 0 ? taken : parts.slice(0, 1)).join("");
}

function split(text: string): string[] {
  return Array.from(segments(text), ({ segment }) => segment);
}

function fitting(parts: readonly string[], columns: number): string[] {
  let used = 0;
  const end = parts.findIndex((part) => (used += graphemeWidth(part)) > columns);
  return end === -1 ? [...parts] : parts.slice(0, end);
}

/** Fills a text up with spaces on its right. */
export function padTo(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - displayWidth(text)));
}

/** Shortens in the middle, since names differ at both ends: "GET /api/…/checkout". */
export function shorten(text: string, columns: number, ellipsis: string): string {
  if (displayWidth(text) <= columns) return text;
  const room = columns - ellipsis.length;
  if (room < 1) return ellipsis.slice(0, Math.max(0, columns));
  const parts = split(text);
  const end = fitting(parts.toReversed(), Math.floor(room / 2)).reverse();
  return fitting(parts, Math.ceil(room / 2)).join("") + ellipsis + end.join("");
}

/** Shortens at the end, for texts that begin with the important part. */
export function cut(text: string, columns: number, ellipsis: string): string {
  if (displayWidth(text) <= columns) return text;
  return fitting(split(text), columns - ellipsis.length).join("") + ellipsis;
}

/** A space at which a line is broken only if it would be too long otherwise. */
export const unbroken = "\u00a0";

/**
 * Breaks a text at spaces into lines of at most `columns`. A longer word is broken, too, or has a line of its
 * own.
 */
export function wrap(text: string, columns: number, breaksWords = true): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (displayWidth(joined) <= columns) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (breaksWords && displayWidth(line) > columns) {
      const taken = takeColumns(line, columns);
      const space = line.lastIndexOf(unbroken, taken.length);
      lines.push(space > 0 ? line.slice(0, space) : taken);
      line = line.slice(space > 0 ? space + unbroken.length : taken.length);
    }
  }
  return [...lines, line];
}
