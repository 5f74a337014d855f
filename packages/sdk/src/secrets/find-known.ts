import { base64Views, decodedViews, unescapedViews } from "./decoded-view.ts";
import { KnownTexts, leastKnownLength } from "./known-texts.ts";
import { mergeSpans, type Span } from "./span.ts";

/** Finds every place at which one of the texts stands in another, as it is or escaped. */
export type FindKnown = (text: string) => Span[];

/** Escapes within escapes, such as a percent-encoded address in a JSON text in base64. */
const maxDepth = 3;

/** An index of texts of at least six characters, to be searched for in one go; shorter ones are not looked for. */
export function indexTexts(texts: Iterable<string>): FindKnown {
  const known = new KnownTexts();
  for (const text of texts) known.add(text);
  return (text) => (known.isEmpty ? [] : mergeSpans(findNested(text, [known], 0)));
}

/** In longer texts escapes within escapes are undone together, which takes a time that grows with the text alone. */
const longText = 65_536;

/** Finds every place at which a text of any index stands in another, as it is or escaped. In order, without overlap. */
export function findKnown(text: string, indexes: readonly KnownTexts[]): Span[] {
  const filled = indexes.filter((index) => !index.isEmpty);
  if (filled.length === 0) return [];
  return mergeSpans(text.length > longText ? findInLong(text, filled) : findNested(text, filled, 0));
}

function findNested(text: string, indexes: readonly KnownTexts[], depth: number): Span[] {
  const found = indexes.flatMap((index) => index.find(text));
  if (depth === maxDepth || text.length < leastKnownLength) return found;
  for (const view of decodedViews(text)) {
    if (depth > 0 && !isReadable(view.text)) continue;
    for (const span of findNested(view.text, indexes, depth + 1)) found.push(view.spelled(span));
  }
  return found;
}

/** Each kind of escape is undone by itself once, for what has another kind within, and then all kinds at once. */
function findInLong(text: string, indexes: readonly KnownTexts[]): Span[] {
  const found = indexes.flatMap((index) => index.find(text));
  for (const view of decodedViews(text)) {
    for (const span of indexes.flatMap((index) => index.find(view.text))) found.push(view.spelled(span));
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
        indexes.flatMap((index) => index.find(inner.text)).map(inner.spelled),
      ),
      ...findUnescaped(view.text, indexes, depth + 1),
    ].map(view.spelled),
  );
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
