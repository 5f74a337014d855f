/** One word, as a person writes it; what was made to be secret has digits, or is longer. */
const ordinaryWord = /^(?:[a-z]{1,12}|[A-Z]{1,12}|[A-Z][a-z]{1,11})$/;

/** Characters that join words: `in_progress`, `home.title`, `Best regards, Anna`. */
const joints = /[\s_.,:;!?'"()+&#-]+/u;
const maxLength = 100;
/** `Open`, `openOrders`, `USA`, with at most one digit: `oauth2`, `python3x`. */
const plainWord =
  /^(?=\p{L})(?:\p{Lu}?\p{Ll}{0,19}(?:\p{Lu}\p{Ll}{2,19}){0,3}|\p{Lu}{1,12}|\p{Lo}{1,20})(?:\d[a-z]?)?$/u;
const vowel = /[aeiou\u0080-\uffff]/i;
const shortNumber = /^\d{1,5}$/;
/** With so many pairs of letters, most must be such as stand in words. */
const leastPairs = 8;

/** Returns true for a common word. Searching for it elsewhere would find it by chance. */
export function isOrdinaryWord(text: string): boolean {
  return ordinaryWord.test(text);
}

const leastAnywhere = 8;
const leastMixed = 6;
/** Fewer letters' pairs say nothing about a single word. */
const leastPairsOfOne = 5;

/**
 * Returns true for a value that stands in texts by chance, where it is no secret: a common word, or a few characters. It is
 * masked only where something says that it is a secret.
 */
export function occursByChance(text: string): boolean {
  if (isOrdinaryWord(text)) return vowel.test(text) && !hasUnusualLetters(text, leastPairsOfOne);
  return text.length < leastMixed || (text.length < leastAnywhere && !isMixed(text));
}

/** `abc123`, `12-34-56`: letters, digits and the rest are mixed as in no word and no number. */
function isMixed(text: string): boolean {
  return [/[A-Za-z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(text)).length > 1;
}

/** Returns true for words joined as people and programs join them, with short numbers: no generated secret. */
export function isPlainWords(text: string): boolean {
  if (text.length > maxLength) return false;
  const words = text.split(joints).filter((word) => word !== "");
  return words.some((word) => /\p{L}/u.test(word)) && words.every(isPlainWord);
}

/** A word has a vowel, unless it is short: `by`, `DE`. */
function isPlainWord(word: string): boolean {
  if (shortNumber.test(word)) return true;
  if (!plainWord.test(word)) return false;
  return word.length <= 2 || (vowel.test(word) && !hasUnusualLetters(word, leastPairs));
}

/** By their first letter, the letters that follow it in nine of ten pairs in words of English. */
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
/** Three in ten pairs of random letters are usual ones, and nine in ten pairs of words. */
const minUsualShare = 0.6;
/** Fewer say nothing. */
const minPairs = 15;

/** Returns true for a text whose letters form no words: few of its pairs of letters occur in words. */
export function hasUnusualLetters(text: string, leastPairs: number = minPairs): boolean {
  const letters = text.toLowerCase();
  let pairs = 0;
  let usual = 0;
  for (let at = 1; at < letters.length; at++) {
    const [first, second] = [letters.charAt(at - 1), letters.charAt(at)];
    if (!isLetter(first) || !isLetter(second)) continue;
    pairs++;
    if (followers.get(first)?.includes(second) === true) usual++;
  }
  return pairs >= leastPairs && usual / pairs < minUsualShare;
}

function isLetter(character: string): boolean {
  return character >= "a" && character <= "z";
}
