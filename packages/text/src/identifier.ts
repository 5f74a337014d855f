const digits = /^\d+$/;
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const longHex = /^[\da-f]{16,}$/i;
/** Letters and digits: a PocketBase id (15), a CUID (25), a ULID (26), a KSUID (27). */
const mixed = /^(?=.*\d)(?=.*[a-z])[\da-z]{12,}$/i;
/** With `-` and `_`, a nanoid (21) or a Firebase key (20). A slug has no capitals. */
const mixedWithSigns = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w-]{20,}$/;

/**
 * Returns true if a segment of a path names one object of many: digits, a UUID, 16 hexadecimal digits or
 * more, or 12 letters and digits or more that do not look like words. It looks at the segment alone, so that
 * every machine and every run agree.
 */
export function isIdentifier(segment: string): boolean {
  if (digits.test(segment) || uuid.test(segment) || longHex.test(segment)) return true;
  if (mixed.test(segment)) return !isMadeOfWords(segment);
  return mixedWithSigns.test(segment) && !isSlug(segment) && !isMadeOfWords(segment);
}

const groupOfDigits = /\d+/g;
/** As in `iPhone15Pro`: a capital begins a word. */
const word = /[A-Z]?[a-z]+|[A-Z]+/g;

/**
 * True for words with numbers between them, such as `covid19vaccine`. Short words between several numbers
 * make an id.
 */
function isMadeOfWords(segment: string): boolean {
  const shortest = (segment.match(groupOfDigits) ?? []).length === 1 ? 3 : 4;
  return (segment.match(word) ?? []).every((one) => one.length >= shortest && isReadable(one));
}

const vowel = /[aeiouy]/i;
/** More consonants or vowels in a row than words have. */
const unreadable = /[^aeiouy]{4}|[aeiouy]{4}/i;

function isReadable(letters: string): boolean {
  return vowel.test(letters) && !unreadable.test(letters);
}

/** True for words and numbers with signs between them: `Top-10-Movies-of-2024`. */
function isSlug(segment: string): boolean {
  return segment.split(/[-_]/).every((part) => /^(?:\d*|[a-z]*)$/i.test(part));
}
