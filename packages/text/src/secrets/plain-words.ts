/** One word, as a person writes it. A generated secret has digits, or is longer. */
const ordinaryWord = /^(?:[a-z]{1,12}|[A-Z]{1,12}|[A-Z][a-z]{1,11})$/;

/** Characters that join words: `in_progress`, `home.title`, `Best regards, Anna`. */
const wordSeparators = /[\s_.,:;!?'"()+&#-]+/u;
const maxLength = 100;
/** `Open`, `openOrders`, `USA`, with at most one digit: `oauth2`, `python3x`. */
const plainWord =
  /^(?=\p{L})(?:\p{Lu}?\p{Ll}{0,19}(?:\p{Lu}\p{Ll}{2,19}){0,3}|\p{Lu}{1,12}|\p{Lo}{1,20})(?:\d[a-z]?)?$/u;
const vowel = /[aeiou\u0080-\uffff]/i;
const shortNumber = /^\d{1,5}$/;
/** With at least so many pairs of letters, most pairs of a word must be common in English. */
const minPairsOfWord = 8;

/**
 * Returns true for a single word in ordinary spelling. A search for it in other texts would find it by
 * chance.
 */
export function isOrdinaryWord(text: string): boolean {
  return ordinaryWord.test(text);
}

const minLengthAnywhere = 8;
const minMixedLength = 6;
/** Fewer pairs of letters are no evidence about a single word. */
const minPairsOfSingleWord = 5;

/**
 * Returns true for a value that occurs in texts by chance: a common word, or a few characters. It is masked
 * only where its name or place marks it as a secret.
 */
export function isTooCommonToMask(text: string): boolean {
  if (isOrdinaryWord(text)) return vowel.test(text) && !hasUnusualLetters(text, minPairsOfSingleWord);
  return text.length < minMixedLength || (text.length < minLengthAnywhere && !isMixed(text));
}

/**
 * True if letters, digits and other characters are mixed, unlike in words and numbers: `abc123`, `12-34-56`.
 */
function isMixed(text: string): boolean {
  return [/[A-Za-z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(text)).length > 1;
}

/**
 * Returns true for words that are joined as people and programs join them, perhaps with short numbers: no
 * generated secret.
 */
export function isPlainWords(text: string): boolean {
  if (text.length > maxLength) return false;
  const words = text.split(wordSeparators).filter((word) => word !== "");
  return words.some((word) => /\p{L}/u.test(word)) && words.every(isPlainWord);
}

/** True for a word, which has a vowel unless it is short (`by`, `DE`), and for a short number. */
function isPlainWord(word: string): boolean {
  if (shortNumber.test(word)) return true;
  if (!plainWord.test(word)) return false;
  return word.length <= 2 || (vowel.test(word) && !hasUnusualLetters(word, minPairsOfWord));
}

/** For each letter, the letters that follow it in nine of ten cases in English words. */
const followers = new Map(
  Object.entries({
    a: "bcdgiklmnprstuvy",
    b: "aeilorsu",
    c: "aehiklortu",
    d: "aeiosu",
    e: "abcdefgilmnprstvxy",
    f: "aefilo",
    g: "aehioru",
    h: "aeio",
    i: "abcdefglmnoprstvz",
    k: "eis",
    l: "adeilostuy",
    m: "aeimop",
    n: "acdefgiknostu",
    o: "bcdgklmnoprstuvw",
    p: "aeiloprtu",
    q: "u",
    r: "acdegiklmnorstuy",
    s: "acehilopstu",
    t: "acehilorstuy",
    u: "abceilmnprst",
    v: "aei",
    w: "aei",
    x: "p",
    y: "p",
    z: "e",
  }),
);
/** Three in ten pairs of random letters are common ones, and nine in ten pairs in words. */
const minUsualShare = 0.6;
/** Fewer pairs are no evidence. */
const defaultMinPairs = 15;

/**
 * Returns true for a text whose letters do not form words: few of its pairs of letters are common in words.
 */
export function hasUnusualLetters(text: string, minPairs: number = defaultMinPairs): boolean {
  const letters = text.toLowerCase();
  let pairs = 0;
  let usual = 0;
  for (let at = 1; at < letters.length; at++) {
    const [first, second] = [letters.charAt(at - 1), letters.charAt(at)];
    if (!isLetter(first) || !isLetter(second)) continue;
    pairs++;
    if (followers.get(first)?.includes(second) === true) usual++;
  }
  return pairs >= minPairs && usual / pairs < minUsualShare;
}

function isLetter(character: string): boolean {
  return character >= "a" && character <= "z";
}
