import { hasUnusualLetters, mergeSpans, type Span } from "@bearhug/sdk/internal";
import { isStaticFileName } from "../static-file.ts";
import { findCardNumbers } from "./card-numbers.ts";
import { SeenTexts } from "./seen-texts.ts";
import { visitWords, wordKind } from "./words-in-text.ts";

/** How keys of well-known makers begin. The rest of their word belongs to them. */
const wellKnownBeginning = new RegExp(
  `(?<![A-Za-z\\d])(?:${[
    "eyJ[\\w-]{5}|[prsw]k_(?:live|test)_\\w|rk_\\w{12}|whsec_\\w{6}|sk-(?:proj|ant|or|svcacct|admin)-\\w",
    "gh[pousr]_\\w|github_pat_\\w|gl(?:pat|dt|rt|ptt|cbt)-\\w|npm_(?=\\w{0,40}\\d)\\w{6}|hf_(?=[a-zA-Z]{0,40}[A-Z\\d])\\w{6}",
    "xox[a-z]-\\w|xapp-\\d|(?:AKIA|ASIA)[A-Z\\d]{12}|AIza[\\w-]{6}|ya29\\.[\\w-]|GOCSPX-\\w|1//0[\\w-]{6}",
    "do[opr]_v1_\\w|shp(?:at|ca|pa|ss)_\\w|SG\\.[\\w-]{6,40}\\.|pat-(?=[\\w-]{0,40}\\d)[\\w-]{8}|dapi[\\da-f]{8}|sq0[a-z]{3}-\\w",
  ].join("|")})`,
  "g",
);
const beginnings = [
  ..."eyJ k_live_ k_test_ rk_ whsec_ sk- gh github_pat_ gl npm_ hf_ xox xapp- AKIA ASIA AIza ya29.".split(
    " ",
  ),
  ..."GOCSPX- 1//0 _v1_ shp SG. pat- dapi sq0".split(" "),
];
const keyCharacters = /[\w.~+/=-]*/y;
const pemBeginning = /-----BEGIN [A-Z ]{1,60}-----/g;
/** Credentials behind the name of their scheme: of a whole value, or long and no word. */
const schemeAtStart = /^\s{0,8}(?:bearer|basic|digest|negotiate|token)\s{1,8}(?=\S)/i;
const schemeInside = /\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC|[Nn]egotiate)[ \t]{1,8}(?=([\w.~+/=-]{8,8192}))/g;

/** A word that may be a key: with the `=` of base64, without those of `name=value`. */
const words = wordKind(/[\w+/.~-]/, (length) => length >= 20);
const padding = /={1,2}/y;
const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
/** Pictures and fonts within a text are long and random, and no secret. */
const dataUrl = /data:(?:image|font|audio|video)\/[\w.+-]{1,60};base64,$/i;
const maxDataUrl = 80;

const minBase64Segment = 16;
const minRandomLength = 20;
const minEntropyBits = 3.5;
/** So much of a word tells whether it is random: to measure megabytes of base64 would take minutes. */
const measuredLength = 4_096;
/** Random text keeps changing between letters and digits, upper and lower case; words and dates do not. */
const minChangesPerCharacter = 0.2;

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

/** Keys of well-known shapes, and credentials behind the name of their scheme. */
export function findWellKnown(text: string): Span[] {
  return [...findKeys(text), ...findPems(text), ...findCredentials(text)];
}

function findKeys(text: string): Span[] {
  // To look for these is much faster than to try the shapes at every place of a long text.
  if (!beginnings.some((beginning) => text.includes(beginning))) return [];
  const found: Span[] = [];
  let end = 0;
  for (const { index, 0: beginning } of text.matchAll(wellKnownBeginning)) {
    // One within the rest of another is of it: to look at each again would take a time that grows with the square.
    if (index < end) continue;
    keyCharacters.lastIndex = index + beginning.length;
    end = keyCharacters.lastIndex + (keyCharacters.exec(text)?.[0].length ?? 0);
    if (!beginning.startsWith("eyJ") || text.slice(index, end).includes("."))
      found.push({ start: index, end });
  }
  return found;
}

function findPems(text: string): Span[] {
  if (!text.includes("-----BEGIN ")) return [];
  const found: Span[] = [];
  for (const { index } of text.matchAll(pemBeginning)) {
    const footer = text.indexOf("-----END ", index);
    const dashes = footer < 0 ? -1 : text.indexOf("-----", footer + "-----END ".length);
    found.push({ start: index, end: dashes < 0 ? text.length : dashes + "-----".length });
    if (dashes < 0) break;
  }
  return found;
}

function findCredentials(text: string): Span[] {
  const found: Span[] = [];
  const scheme = schemeAtStart.exec(text)?.[0].length;
  if (scheme !== undefined && isCredential(text.slice(scheme)))
    found.push({ start: scheme, end: text.trimEnd().length });
  for (const { index, 0: name, 1: credential = "" } of text.matchAll(schemeInside)) {
    const start = index + name.length;
    if (/[\d+/=]/.test(credential)) found.push({ start, end: start + credential.length });
  }
  return found;
}

/** `Basic plan` is none; `Digest username="x", realm=…` is. */
function isCredential(text: string): boolean {
  return !/\s/.test(text.trim()) || text.includes("=");
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

/** Whether text is at least 20 characters that nobody would have typed: a key, a hash. UUIDs within do not count. */
export function looksRandom(text: string): boolean {
  const characters = text
    .slice(0, measuredLength)
    .replace(uuid, "")
    .replace(/[^A-Za-z\d]/g, "");
  return (
    characters.length >= minRandomLength &&
    entropyBits(characters) > minEntropyBits &&
    (countChanges(characters) / characters.length >= minChangesPerCharacter || hasUnusualLetters(characters))
  );
}

/** Shannon entropy of the characters' frequencies, in bits per character. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** How often the kind of character changes; a capital that begins a word (`setCookiesAndRedirect`) is no change. */
function countChanges(text: string): number {
  const kinds = text
    .replace(/[A-Z](?=[a-z]{2})|[a-z]/g, "a")
    .replace(/[A-Z]/g, "A")
    .replace(/\d/g, "0");
  let changes = 0;
  for (let at = 1; at < kinds.length; at++) if (kinds[at] !== kinds[at - 1]) changes++;
  return changes;
}
