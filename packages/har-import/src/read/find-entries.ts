/** An object or list that is still open. */
interface OpenBracket {
  readonly closedBy: "}" | "]";
  /** The name it has in the object around it; "" for an element of a list. */
  readonly key: string;
}

export interface FoundEntries {
  /** For each complete element of `log.entries`, the index behind it. */
  readonly ends: readonly number[];
  /** Something is still open at the text's end: the rest of the file is missing. */
  readonly isCut: boolean;
}

/** Finds the entries in the text of a capture that does not parse. Looks at strings and brackets alone. */
export function findEntries(text: string): FoundEntries {
  const open: OpenBracket[] = [];
  const ends: number[] = [];
  let lastString = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const close = findStringEnd(text, at);
      if (close === -1) return { ends, isCut: true };
      lastString = text.slice(at + 1, close);
      at = close;
    } else if (character === "{" || character === "[") {
      const isElement = open.at(-1)?.closedBy === "]";
      open.push({ closedBy: character === "{" ? "}" : "]", key: isElement ? "" : lastString });
    } else if (character === "}" || character === "]") {
      if (open.pop()?.closedBy !== character) return { ends, isCut: false };
      if (isListOfEntries(open)) ends.push(at + 1);
    }
  }
  return { ends, isCut: open.length > 0 };
}

/** Index of the closing quote, or −1. */
function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return -1;
}

/** `{ "log": { "entries": [`, and nothing opened within. */
function isListOfEntries([root, log, entries, ...deeper]: readonly OpenBracket[]): boolean {
  return (
    root?.closedBy === "}" &&
    log?.key === "log" &&
    log.closedBy === "}" &&
    entries?.key === "entries" &&
    entries.closedBy === "]" &&
    deeper.length === 0
  );
}
