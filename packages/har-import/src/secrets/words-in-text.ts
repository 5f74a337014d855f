/** Characters and lengths of the words to look for. */
export interface WordKind {
  /** By code, for characters below 128: 1 for those that words are made of. */
  readonly isOfWord: Uint8Array;
  /** By length: 1 for those that words have. The last stands for all longer ones. */
  readonly isOfLength: Uint8Array;
}

/** Longer words are few. */
const longest = 1_024;

/** @param isOfLength Asked about lengths up to 1,024: those of words. */
export function wordKind(character: RegExp, isOfLength: (length: number) => boolean): WordKind {
  return {
    isOfWord: Uint8Array.from({ length: 128 }, (_, code) =>
      Number(character.test(String.fromCharCode(code))),
    ),
    isOfLength: Uint8Array.from({ length: longest + 1 }, (_, length) => Number(isOfLength(length))),
  };
}

/** The same words as long as they have one of these lengths. */
export function ofLengths({ isOfWord, isOfLength }: WordKind, lengths: Iterable<number>): WordKind {
  const wanted = new Uint8Array(longest + 1);
  for (const length of lengths) {
    const place = Math.min(length, longest);
    wanted[place] = isOfLength[place] ?? 0;
  }
  return { isOfWord, isOfLength: wanted };
}

/**
 * Tells where the words of a text stand, until it is answered with true. Nothing is cut out: a regular expression would
 * make several objects of each word, and bodies have millions.
 */
export function visitWords(
  text: string,
  { isOfWord, isOfLength }: WordKind,
  visit: (start: number, end: number) => boolean,
): void {
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && isOfWord[text.charCodeAt(at)] === 1) continue;
    if (isOfLength[Math.min(at - start, longest)] === 1 && visit(start, at)) return;
    start = at + 1;
  }
}
