import { CaptureError } from "../capture.ts";
import * as json from "./json-bytes.ts";

/**
 * The position in the file: before its object, in that, in `log`, in one of its lists, or after the object.
 */
type Within = "start" | "file" | "log" | "entries" | "pages" | "end";

/** A script's call around the JSON, as some servers write it: `onInputData({…});`. */
const callStart = /^(?:[A-Za-z_$][\w$.]{0,200}\s{0,200}\(\s{0,200})?$/;
const maxBeginning = 1000;

/**
 * Parses the frame of a HAR, `{ "log": { "entries": [ … ], "pages": [ … ] } }`, byte by byte. Members may come in any
 * order; keys and elements are left to the value cutter.
 */
export class Skeleton {
  within: Within = "start";
  #awaits: "key" | "colon" | "value" | "comma" = "key";
  /** Set while a key or value is read: its bytes are for the value cutter. */
  cuts: "key" | "value" | null = null;
  /** The last key. */
  name = "";
  /** The text before the first bracket. */
  beginning = "";
  hasLog = false;
  hasEntries = false;
  /** True if something other than the end of a script's call follows the file's object. */
  hasTrailing = false;

  get isComplete(): boolean {
    return this.within === "end";
  }

  /** The list whose elements are cut out. */
  get list(): "entries" | "pages" | null {
    return this.within === "entries" || this.within === "pages" ? this.within : null;
  }

  /** True between two elements or members. */
  get isBetween(): boolean {
    return this.#awaits === "comma" && this.cuts === null;
  }

  /** Consumes a byte; "begins" if a key or value begins with it, "broken" if it is not allowed there. */
  step(byte: number): "taken" | "begins" | "broken" {
    if (!this.#fits(byte)) return "broken";
    return this.cuts === null ? "taken" : "begins";
  }

  #fits(byte: number): boolean {
    const kind = json.kindOfByte[byte] ?? json.illegal;
    switch (this.within) {
      case "start":
        this.#begin(byte, kind);
        return true;
      case "end":
        this.hasTrailing ||= kind !== json.space && byte !== 0x29 && byte !== 0x3b;
        return true;
      case "file":
      case "log":
        return kind === json.space || this.#stepInObject(kind);
      case "entries":
      case "pages":
        return kind === json.space || this.#stepInList(kind);
    }
  }

  endKey(key: string): void {
    this.name = key;
    this.cuts = null;
    this.#awaits = "colon";
  }

  endValue(): void {
    this.cuts = null;
    this.#awaits = "comma";
  }

  /** Continues after broken JSON: the next byte begins, or follows, an element of `log.entries`. */
  resumeInEntries(): void {
    this.within = "entries";
    this.hasLog = this.hasEntries = true;
    this.cuts = null;
    this.#awaits = "value";
  }

  #begin(byte: number, kind: number): void {
    if (kind === json.openObject && callStart.test(this.beginning)) {
      this.within = "file";
      return;
    }
    if (kind === json.space && this.beginning === "") return;
    if (kind === json.openObject || this.beginning.length === maxBeginning)
      throw explainBeginning(this.beginning);
    this.beginning += String.fromCharCode(byte);
  }

  #stepInObject(kind: number): boolean {
    if (kind === json.closeObject && (this.#awaits === "key" || this.#awaits === "comma")) {
      this.within = this.within === "log" ? "file" : "end";
      this.#awaits = "comma";
      return true;
    }
    switch (this.#awaits) {
      case "key":
        if (kind === json.quote) this.cuts = "key";
        return kind === json.quote || kind === json.comma;
      case "colon":
        this.#awaits = "value";
        return kind === json.colon;
      case "value":
        return this.#descend(kind) || this.#beginValue(kind);
      case "comma":
        this.#awaits = "key";
        return kind === json.comma;
    }
  }

  /** Enters `log`, or one of its lists. */
  #descend(kind: number): boolean {
    if (this.within === "file" && this.name === "log" && kind === json.openObject) {
      this.within = "log";
      this.hasLog = true;
      this.#awaits = "key";
      return true;
    }
    if (this.within !== "log" || kind !== json.openList) return false;
    if (this.name !== "entries" && this.name !== "pages") return false;
    this.within = this.name;
    this.hasEntries ||= this.name === "entries";
    this.#awaits = "value";
    return true;
  }

  /** Tolerates a missing or an extra comma between elements. */
  #stepInList(kind: number): boolean {
    if (kind === json.comma) {
      this.#awaits = "value";
      return true;
    }
    if (kind === json.closeList) {
      this.within = "log";
      this.#awaits = "comma";
      return true;
    }
    return (this.#awaits === "value" || kind === json.openObject) && this.#beginValue(kind);
  }

  #beginValue(kind: number): boolean {
    const isValue =
      kind === json.quote || kind === json.scalar || kind === json.openObject || kind === json.openList;
    if (isValue) this.cuts = "value";
    return isValue;
  }
}

/** Longer than any match: the patterns limit the white space between their parts. */
const longestMatch = 512;

/** Keys with which recorders begin an entry. No list within an entry has elements that begin with one. */
const firstKeys = [
  "pageref",
  "startedDateTime",
  "request",
  "response",
  "cache",
  "timings",
  "connection",
  "serverIPAddress",
  "_[A-Za-z]\\w{0,60}",
];

const space = "[ \\t\\r\\n]{0,64}";
const entryStart = new RegExp(`,${space}(?=\\{${space}"(?:${firstKeys.join("|")})"${space}:)`);
const listStart = new RegExp(`"entries"${space}:${space}\\[`);

/**
 * Finds the place to resume in a broken file: the next entry, or the list of entries. Quotes in JSON strings
 * are escaped, so neither pattern can match inside a string.
 */
export class EntrySeeker {
  readonly #pattern: RegExp;
  /** The last bytes that were searched: a match may begin in them. */
  #tail: Uint8Array = new Uint8Array(0);

  constructor(what: "entry" | "list of entries") {
    this.#pattern = what === "entry" ? entryStart : listStart;
  }

  /**
   * Returns the bytes to resume with: from an entry's opening bracket, or from inside the list. null if not
   * found yet.
   */
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

/** JSON other than an object. */
const otherJson = /^\s*(\[|"|-?\d|(null|true|false)\b)/;

/** Explains why the file does not begin like a capture. Never quotes its text, which may be secret. */
export function explainBeginning(beginning: string): CaptureError {
  if (beginning.trim() === "") return new CaptureError("The capture is empty.");
  return otherJson.test(beginning) ? noLog() : notJson();
}

export function noLog(): CaptureError {
  return new CaptureError('The file has no "log" object, so it is not a HAR capture.');
}

export function notJson(): CaptureError {
  return new CaptureError(
    "The capture is not JSON, or is damaged before the end of its first entry. Export it again.",
  );
}

export function noList(): CaptureError {
  return new CaptureError('The capture has no "log.entries" list.');
}

export function noEntries(): CaptureError {
  return new CaptureError("The capture has no entries: nothing was recorded.");
}

export function cutBeforeEntries(size: number): CaptureError {
  return new CaptureError(
    `The capture is truncated at byte ${size}, before the end of its first entry. Export it again.`,
  );
}
