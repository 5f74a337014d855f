import { base64Views, decodedViews, unescapedViews } from "./decoded-view.ts";
import { KnownTexts, minKnownLength } from "./known-texts.ts";
import { mergeSpans, type Span } from "./span.ts";

/** Finds all occurrences of the indexed texts in a text, as they are or escaped. */
export type FindKnown = (text: string) => Span[];

/** The levels of nested escapes, such as a percent-encoded address in JSON in base64. */
const maxDepth = 3;

/**
 * Makes an index of texts that searches for all of them at once. Texts of fewer than six characters are
 * ignored.
 */
export function indexTexts(texts: Iterable<string>): FindKnown {
  const known = new KnownTexts();
  for (const text of texts) known.add(text);
  return (text) => (known.isEmpty ? [] : mergeSpans(findNested(text, [known], 0)));
}

/**
 * In longer texts, all kinds of escapes are decoded together, so that the time is proportional to the length
 * of the text.
 */
const longText = 65_536;

/**
 * Finds all occurrences of the texts of several indexes, as they are or escaped. The spans are sorted and do
 * not overlap.
 */
export function findKnown(text: string, indexes: readonly KnownTexts[]): Span[] {
  const filled = indexes.filter((index) => !index.isEmpty);
  if (filled.length === 0) return [];
  return mergeSpans(text.length > longText ? findInLong(text, filled) : findNested(text, filled, 0));
}

function findNested(text: string, indexes: readonly KnownTexts[], depth: number): Span[] {
  const found = indexes.flatMap((index) => index.find(text));
  if (depth === maxDepth || text.length < minKnownLength) return found;
  for (const view of decodedViews(text)) {
    if (depth > 0 && !isReadable(view.text)) continue;
    for (const span of findNested(view.text, indexes, depth + 1)) found.push(view.toOriginal(span));
  }
  return found;
}

/**
 * Decodes each kind of escape alone once, for texts that contain other escapes themselves, and then all kinds
 * together.
 */
function findInLong(text: string, indexes: readonly KnownTexts[]): Span[] {
  const found = indexes.flatMap((index) => index.find(text));
  for (const view of decodedViews(text)) {
    for (const span of indexes.flatMap((index) => index.find(view.text))) found.push(view.toOriginal(span));
  }
  for (const span of findUnescaped(text, indexes, 0)) found.push(span);
  return found;
}

function findUnescaped(text: string, indexes: readonly KnownTexts[], depth: number): Span[] {
  if (depth === maxDepth) return [];
  return unescapedViews(text).flatMap((view) =>
    [
      ...indexes.flatMap((index) => index.find(view.text)),
      ...base64Views(view.text).flatMap((inner) =>
        indexes.flatMap((index) => index.find(inner.text)).map(inner.toOriginal),
      ),
      ...findUnescaped(view.text, indexes, depth + 1),
    ].map(view.toOriginal),
  );
}

/** False for binary data, in which no further escapes are decoded. */
function isReadable(text: string): boolean {
  let controls = 0;
  const sample = text.slice(0, 1_000);
  for (let at = 0; at < sample.length; at++) {
    const code = sample.charCodeAt(at);
    if (code < 9 || (code > 13 && code < 32) || code === 127) controls++;
  }
  return controls * 10 <= sample.length;
}
