/** The characters and lengths of a kind of words. */
export interface WordKind {
  /** By code, for characters below 128: 1 for a character of words. */
  readonly isOfWord: Uint8Array;
  /** By length: 1 for a length of words. The last entry stands for all longer ones. */
  readonly isOfLength: Uint8Array;
}

/** Longer words are few. */
const longest = 1_024;

/**
 * Builds a kind of words. @param isOfLength Returns true for a length of words; called for lengths up to
 * 1,024.
 */
export function wordKind(character: RegExp, isOfLength: (length: number) => boolean): WordKind {
  return {
    isOfWord: Uint8Array.from({ length: 128 }, (_, code) =>
      Number(character.test(String.fromCharCode(code))),
    ),
    isOfLength: Uint8Array.from({ length: longest + 1 }, (_, length) => Number(isOfLength(length))),
  };
}

/** Restricts a kind of words to these lengths. */
export function ofLengths({ isOfWord, isOfLength }: WordKind, lengths: Iterable<number>): WordKind {
  const wanted = new Uint8Array(longest + 1);
  for (const length of lengths) {
    const place = Math.min(length, longest);
    wanted[place] = isOfLength[place] ?? 0;
  }
  return { isOfWord, isOfLength: wanted };
}

/**
 * Calls `visit` with the position of each word in a text, until it returns true. Creates no substrings: a
 * regular expression would create several objects for each word, and bodies have millions.
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
