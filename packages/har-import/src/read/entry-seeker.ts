/** Longer than what is sought can be; space between its parts counts up to here. */
const longestMatch = 512;

/** Keys with which recorders begin an entry. No list within an entry has elements that begin with one. */
const firstKeys = [
  ...["pageref", "startedDateTime", "request", "response", "cache", "timings"],
  ...["connection", "serverIPAddress", "_[A-Za-z]\\w{0,60}"],
];

const space = "[ \\t\\r\\n]{0,64}";
const entryStart = new RegExp(`,${space}(?=\\{${space}"(?:${firstKeys.join("|")})"${space}:)`);
const listStart = new RegExp(`"entries"${space}:${space}\\[`);

/**
 * Finds where reading can go on in a file that is broken: the next entry, or the list of them. In a string of JSON
 * quotes are escaped, so that neither can be found in one.
 */
export class EntrySeeker {
  readonly #pattern: RegExp;
  /** The last bytes that were searched: a match may begin in them. */
  #tail: Uint8Array = new Uint8Array(0);

  constructor(what: "entry" | "list of entries") {
    this.#pattern = what === "entry" ? entryStart : listStart;
  }

  /** The bytes from which to read on: from an entry's bracket, or behind the list's. null: not yet found. */
  search(chunk: Uint8Array): Uint8Array | null {
    const bytes = new Uint8Array(this.#tail.length + chunk.length);
    bytes.set(this.#tail);
    bytes.set(chunk, this.#tail.length);
    // One character for each byte.
    const found = this.#pattern.exec(new TextDecoder("latin1").decode(bytes));
    this.#tail = bytes.slice(-longestMatch);
    return found === null ? null : bytes.subarray(found.index + found[0].length);
  }
}
