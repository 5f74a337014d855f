import { looksRandom } from "../secrets/secret-values.ts";

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const nil = /^[0-]+$/;
/** So much of a value tells whether it is random. */
const judgedLength = 4_096;
const minLength = 16;
/** Words, dates and numbers in them (`wireless-keyboard-2000`) change less often from letters to digits. */
const minChangesPerCharacter = 0.25;
const minDifferent = 8;

export function isUuid(text: string): boolean {
  return text.length === 36 && uuid.test(text) && !nil.test(text);
}

/** Whether a value is so long and random that it means the same thing wherever it stands. */
export function isDistinctive(text: string): boolean {
  if (text.length < minLength) return false;
  const judged = text.slice(0, judgedLength);
  return isUuid(text) || looksRandom(judged) || isMixed(judged);
}

function isMixed(text: string): boolean {
  if (!/^[\w+/=.~-]+$/.test(text)) return false;
  const kinds = text
    .replace(/[^A-Za-z\d]/g, "")
    .replace(/[A-Z](?=[a-z]{2})|[a-z]/g, "a")
    .replace(/[A-Z]/g, "A")
    .replace(/\d/g, "0");
  let changes = 0;
  for (let at = 1; at < kinds.length; at++) if (kinds[at] !== kinds[at - 1]) changes++;
  return (
    kinds.length >= minLength - 1 &&
    new Set(text).size >= minDifferent &&
    changes / kinds.length >= minChangesPerCharacter
  );
}

const word = /^[A-Za-z]{1,12}$/;
const year = /^(19|20)\d\d$/;
const rounded = /^\d*00$/;

/** Whether a value is such as stands in many places by chance: a word, a small or round number, a year. */
export function isPlain(text: string): boolean {
  return text.length < 4 || word.test(text) || year.test(text) || rounded.test(text) || !/\d/.test(text);
}
