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
/** Of letters that chance has picked, three pairs in ten are usual; of those of words, nine. */
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
