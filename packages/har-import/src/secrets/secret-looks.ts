import { mergeSpans, type Span } from "@bearhug/text/secrets/span";
import { isStaticFileName } from "../static-file.ts";
import { looksRandom } from "./random-text.ts";
import { findWellKnown } from "./secret-shapes.ts";
import { SeenTexts } from "./seen-texts.ts";
import { visitWords, wordKind } from "./words-in-text.ts";

/** A word that may be a key: with the `=` of base64, without those of `name=value`. */
const words = wordKind(/[\w+/.~-]/, (length) => length >= 20);
const padding = /={1,2}/y;
/** Images and fonts embedded in a text are long and random, but not secret. */
const dataUrl = /data:(?:image|font|audio|video)\/[\w.+-]{1,60};base64,$/i;
const maxDataUrl = 80;

const minBase64Segment = 16;
/** Returns true for a value that is secret under any name: it has a well-known shape, or a long random part. */
export function looksSecret(value: string): boolean {
  return findSecretLooks(value).length > 0;
}

const harmless = new SeenTexts();

/** Finds the places in a text that look like secrets. `Bearer` and the like are not part of it. */
export function findSecretLooks(text: string): Span[] {
  if (harmless.has(text)) return [];
  const found = mergeSpans([...findWellKnown(text), ...findRandomWords(text), ...findCardNumbers(text)]);
  if (found.length === 0) harmless.add(text);
  return found;
}

/**
 * Finds words of at least 20 characters that nobody would have typed: ids, keys, hashes. UUIDs are ids, not
 * secrets.
 */
function findRandomWords(text: string): Span[] {
  const found: Span[] = [];
  visitWords(text, words, (start, end) => {
    if (dataUrl.test(text.slice(Math.max(0, start - maxDataUrl), start))) return false;
    padding.lastIndex = end;
    const one = text.slice(start, end + (padding.exec(text)?.[0].length ?? 0));
    found.push(...findRandomIn(one, start));
    return false;
  });
  return found;
}

/** Returns the whole word if it may be base64, in which slashes are rare; for a path, its random segments. */
function findRandomIn(one: string, start: number): Span[] {
  // The boundary between the parts of a multipart body.
  if (one.startsWith("--")) return [];
  if (one.includes("//") && isStaticFileName(one)) return [];
  const segments = one.split("/");
  const mayBeBase64 = !one.includes(".") && one.length / segments.length >= minBase64Segment;
  if ((segments.length === 1 || mayBeBase64) && looksRandom(one)) return [{ start, end: start + one.length }];
  let at = start;
  return segments.flatMap((segment) => {
    const span = { start: at, end: at + segment.length };
    at = span.end + 1;
    return looksRandom(segment) ? [span] : [];
  });
}

/**
 * Consecutive digits, perhaps with single spaces or dashes between them. Those after a number, such as its
 * code, may be included.
 */
const written = /(?<![\w.+/-])\d(?:[ -]?\d){13,18}(?![\w/-])/g;
/** A group of digits as on a card: not two, as in dates. */
const group = /^\d{3,7}$/;
/** Beginnings and lengths of card numbers, by issuer. Lengths that everyday numbers share are left out. */
const issued = /^(?:3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:4\d|5[1-5]|2[2-7]|35|6\d)\d{14}|62\d{15,17})$/;

/** Finds the numbers of payment cards in a text, by issuer, length and check digit. */
export function findCardNumbers(text: string): Span[] {
  return Array.from(text.matchAll(written), ({ index, 0: digits }) => ({
    start: index,
    end: index + lengthOfNumber(digits),
  })).filter(({ start, end }) => end > start);
}

function lengthOfNumber(digits: string): number {
  if (isCardNumber(digits)) return digits.length;
  const groups = digits.split(/[ -]/);
  for (let count = groups.length; count >= 3; count--) {
    const first = groups.slice(0, count);
    if (first.every((one) => group.test(one)) && isCardNumber(first.join(""))) return first.join("-").length;
  }
  return 0;
}

function isCardNumber(digits: string): boolean {
  return issued.test(digits) && hasCheckDigit(digits);
}

/**
 * Returns true if the check digit is right: every second digit from the right is doubled, and the sum is a
 * multiple of ten.
 */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, isDoubled = false; at >= 0; at--, isDoubled = !isDoubled) {
    const value = Number(digits.charAt(at)) * (isDoubled ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
