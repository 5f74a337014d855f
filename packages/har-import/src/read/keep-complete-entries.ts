/** An object or list that is still open. */
interface OpenBracket {
  readonly closedBy: "}" | "]";
  /** The name it has in the object around it; "" for an element of a list. */
  readonly key: string;
}

export interface CompleteEntries {
  /** The file up to the end of its last complete entry, with everything closed that was open there. */
  readonly text: string;
  readonly count: number;
}

/**
 * What is left of a capture that was cut short. null when not even one entry is complete,
 * or when brackets do not match, so that it was not cut but broken.
 */
export function keepCompleteEntries(text: string): CompleteEntries | null {
  const open: OpenBracket[] = [];
  let lastString = "";
  let count = 0;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const close = findStringEnd(text, at);
      lastString = text.slice(at + 1, close);
      at = close;
    } else if (character === "{" || character === "[") {
      const isElement = open.at(-1)?.closedBy === "]";
      open.push({ closedBy: character === "{" ? "}" : "]", key: isElement ? "" : lastString });
    } else if (character === "}" || character === "]") {
      if (open.pop()?.closedBy !== character) return null;
      if (isListOfEntries(open)) {
        count++;
        end = at + 1;
      }
    }
  }
  return count === 0 ? null : { text: `${text.slice(0, end)}]}}`, count };
}

/** Index of the closing quote, or the text's end. */
function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
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
