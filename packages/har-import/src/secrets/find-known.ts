import { decodedViews } from "./decoded-view.ts";
import { mergeSpans, type Span } from "./span.ts";

/** Where any of the texts stands in another, as it is or escaped. */
export type FindKnown = (text: string) => Span[];

/** Escapes within escapes, such as a percent-encoded address in a JSON text in base64. */
const maxDepth = 3;
/** Texts are told apart by their first characters; shorter ones would be found by chance. */
export const leastKnownLength = 6;
const hashSize = 1 << 16;

/** An index of texts of at least six characters, to be searched for in one go; shorter ones are not looked for. */
export function indexTexts(texts: Iterable<string>): FindKnown {
  const byBeginning = new Map<string, string[]>();
  const hashes = new Uint8Array(hashSize);
  const spellings = new Set([...texts].filter((text) => text.length >= leastKnownLength).flatMap(spell));
  for (const spelling of spellings) {
    const beginning = spelling.slice(0, leastKnownLength);
    const others = byBeginning.get(beginning);
    if (others === undefined) byBeginning.set(beginning, [spelling]);
    else others.push(spelling);
    hashes[hashAt(spelling, 0)] = 1;
  }
  if (spellings.size === 0) return () => [];

  const findRaw = (text: string): Span[] => {
    const found: Span[] = [];
    for (let start = 0; start + leastKnownLength <= text.length; start++) {
      if (hashes[hashAt(text, start)] === 0) continue;
      for (const known of byBeginning.get(text.slice(start, start + leastKnownLength)) ?? []) {
        const end = endOf(known, text, start);
        if (end === null) continue;
        found.push({ start, end });
        // Text that repeats itself would be compared anew at every place.
        if (end - start < longMatch) continue;
        start = end - 1;
        break;
      }
    }
    return found;
  };
  const find = (text: string, depth: number): Span[] => {
    const found = findRaw(text);
    if (depth === maxDepth || text.length < leastKnownLength) return found;
    for (const view of decodedViews(text)) {
      if (depth > 0 && !isReadable(view.text)) continue;
      for (const span of find(view.text, depth + 1)) found.push(view.spelled(span));
    }
    return found;
  };
  return (text) => mergeSpans(find(text, 0));
}

/** Longer texts are recognised by so much of them. */
const maxSpelled = 2_048;
const longMatch = 64;

/** Where a text that begins here ends; null where it does not. */
function endOf(known: string, text: string, start: number): number | null {
  if (known.length <= maxSpelled) return text.startsWith(known, start) ? start + known.length : null;
  if (!text.startsWith(known.slice(0, maxSpelled), start)) return null;
  return start + (text.startsWith(known, start) ? known.length : maxSpelled);
}

/** A text as it is, as a form writes its blanks, as its bytes, one character each, and in base64. */
function spell(text: string): string[] {
  const bytes = toBytes(text.slice(0, maxSpelled));
  const inside = [bytes, toBytes(JSON.stringify(text.slice(0, maxSpelled)).slice(1, -1)), encode(text)];
  const base64 = [...new Set(inside)].flatMap(base64Forms);
  return [text, text.replaceAll(" ", "+"), bytes, bytes.replaceAll(" ", "+"), ...base64].filter(
    (spelling) => spelling.length >= leastKnownLength,
  );
}

function toBytes(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

function encode(text: string): string {
  return encodeURIComponent(text.slice(0, maxSpelled).toWellFormed());
}

/**
 * The characters of some bytes' base64 that do not depend on what stands around them, for each of the three ways in
 * which they can lie among the groups: so a password is found within `user:password`, too.
 */
function base64Forms(bytes: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const form = btoa("\0".repeat(before) + bytes).slice(
      Math.ceil((before * 8) / 6),
      Math.floor(((before + bytes.length) * 8) / 6),
    );
    return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function hashAt(text: string, at: number): number {
  const [a, b, c] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
  return (((a * 31 + b) * 31 + c) * 31 + text.charCodeAt(at + 3)) & (hashSize - 1);
}

/** Bytes that are no text have no further text within. */
function isReadable(text: string): boolean {
  let controls = 0;
  const sample = text.slice(0, 1_000);
  for (let at = 0; at < sample.length; at++) {
    const code = sample.charCodeAt(at);
    if (code < 9 || (code > 13 && code < 32) || code === 127) controls++;
  }
  return controls * 10 <= sample.length;
}
