/** What words are made of, and how long they are at least. */
export interface WordKind {
  /** Of the characters below 128, by their codes, those that words are made of. */
  readonly isOfWord: Uint8Array;
  readonly minLength: number;
}

export function wordKind(character: RegExp, minLength: number): WordKind {
  const isOfWord = Uint8Array.from({ length: 128 }, (_, code) =>
    Number(character.test(String.fromCharCode(code))),
  );
  return { isOfWord, minLength };
}

/**
 * Tells where the words of a text stand, until it is answered with true. Nothing is cut out: a regular expression would
 * make several objects of each word, and bodies have millions.
 */
export function visitWords(
  text: string,
  { isOfWord, minLength }: WordKind,
  visit: (start: number, end: number) => boolean,
): void {
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && isOfWord[text.charCodeAt(at)] === 1) continue;
    if (at - start >= minLength && visit(start, at)) return;
    start = at + 1;
  }
}
