/** What well-known secrets look like, wherever they stand. */
const wellKnown = [
  /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/, // JWT
  /-----BEGIN [A-Z ]+-----/, // PEM
  /\b[sr]k_(live|test)_\w+/, // Stripe
  /\b(gh[pousr]_|github_pat_)\w+/, // GitHub
  /\bxox[a-z]-[\w-]+/, // Slack
  /\bAKIA[A-Z\d]{12,}/, // AWS
  /\bAIza[\w-]{20,}/, // Google
  /^\s*(bearer|basic|digest|negotiate)\s+\S/i,
];

/** A secret is one by its beginning; to search megabytes for the shapes above would take minutes. */
const maxCharacters = 4_096;
const minRandomLength = 20;
const minEntropyBits = 3.5;
/** Random text keeps changing between letters and digits, upper and lower case; words and dates do not. */
const minChangesPerCharacter = 0.2;

/** Whether a value would be a secret under any name: of a well-known shape, or with a long and random part. */
export function looksSecret(whole: string): boolean {
  const value = whole.slice(0, maxCharacters);
  return wellKnown.some((shape) => shape.test(value)) || value.split(/[^\w+/=.~-]+/).some(looksRandom);
}

/** Whether text is at least 20 characters that nobody would have typed: an id, a key, a hash. */
export function looksRandom(text: string): boolean {
  const characters = text.replace(/[^A-Za-z\d]/g, "");
  return (
    characters.length >= minRandomLength &&
    entropyBits(characters) > minEntropyBits &&
    countChanges(characters) / characters.length >= minChangesPerCharacter
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
