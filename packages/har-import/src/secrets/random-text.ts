import { hasUnusualLetters } from "@bearhug/text/secrets/plain-words";

const uuids = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
const minRandomLength = 20;
const minEntropyBits = 3.5;
/** Characters of a word that are measured: measuring megabytes of base64 would take minutes. */
const measuredLength = 4_096;
/** Random text keeps changing between letters and digits, upper and lower case; words and dates do not. */
const minChangesPerCharacter = 0.2;

/** Returns true for at least 20 random characters: a key, a hash. UUIDs inside do not count. */
export function looksRandom(text: string): boolean {
  const characters = text
    .slice(0, measuredLength)
    .replace(uuids, "")
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

/**
 * Counts changes between letters, capitals and digits. A capital that begins a word is not a change:
 * `setCookiesAndRedirect`.
 */
function countChanges(text: string): number {
  const kinds = text
    .replace(/[A-Z](?=[a-z]{2})|[a-z]/g, "a")
    .replace(/[A-Z]/g, "A")
    .replace(/\d/g, "0");
  let changes = 0;
  for (let at = 1; at < kinds.length; at++) if (kinds[at] !== kinds[at - 1]) changes++;
  return changes;
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const nilUuid = /^[0-]+$/;
const minLength = 16;
/** Words, dates and numbers in them (`wireless-keyboard-2000`) change less often from letters to digits. */
const minMixedChanges = 0.25;
const minDifferent = 8;

export function isUuid(text: string): boolean {
  return text.length === 36 && uuid.test(text) && !nilUuid.test(text);
}

/** Returns true for a value so long and random that it means the same thing everywhere. */
export function isDistinctive(text: string): boolean {
  if (text.length < minLength) return false;
  const judged = text.slice(0, measuredLength);
  return isUuid(text) || looksRandom(judged) || isMixed(judged);
}

function isMixed(text: string): boolean {
  if (!/^[\w+/=.~-]+$/.test(text)) return false;
  const characters = text.replace(/[^A-Za-z\d]/g, "");
  return (
    characters.length >= minLength - 1 &&
    new Set(text).size >= minDifferent &&
    countChanges(characters) / characters.length >= minMixedChanges
  );
}

const year = /^(19|20)\d\d$/;
const rounded = /^\d*00$/;

/** Returns true for a value that occurs in many places by chance: a word, a small or round number, a year. */
export function isPlain(text: string): boolean {
  return text.length < 4 || year.test(text) || rounded.test(text) || !/\d/.test(text);
}
