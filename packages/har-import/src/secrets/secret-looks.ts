import { mergeSpans, type Span } from "@bearhug/sdk/internal";
import { isStaticFileName } from "../static-file.ts";
import { findCardNumbers } from "./card-numbers.ts";
import { looksRandom } from "./random-text.ts";
import { findWellKnown } from "./secret-shapes.ts";
import { SeenTexts } from "./seen-texts.ts";
import { visitWords, wordKind } from "./words-in-text.ts";

/** A word that may be a key: with the `=` of base64, without those of `name=value`. */
const words = wordKind(/[\w+/.~-]/, (length) => length >= 20);
const padding = /={1,2}/y;
/** Pictures and fonts within a text are long and random, and no secret. */
const dataUrl = /data:(?:image|font|audio|video)\/[\w.+-]{1,60};base64,$/i;
const maxDataUrl = 80;

const minBase64Segment = 16;
/** Whether a value would be a secret under any name: of a well-known shape, or with a long and random part. */
export function looksSecret(value: string): boolean {
  return findSecretLooks(value).length > 0;
}

const harmless = new SeenTexts();

/** Where in a text something stands that is secret by its looks. `Bearer` and the like are not part of it. */
export function findSecretLooks(text: string): Span[] {
  if (harmless.has(text)) return [];
  const found = mergeSpans([...findWellKnown(text), ...findRandomWords(text), ...findCardNumbers(text)]);
  if (found.length === 0) harmless.add(text);
  return found;
}

/** Words of at least 20 characters that nobody would have typed: ids, keys, hashes. UUIDs are ids, and no secrets. */
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

/** The whole where it may be base64, in which slashes are rare; of a path the random segments. */
function findRandomIn(one: string, start: number): Span[] {
  // Between the parts of a multipart body.
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
