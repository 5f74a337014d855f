import * as json from "./json-bytes.ts";

/**
 * Most bytes of one element. A larger one, which only a hostile or damaged capture has, is a finding, and is
 * not held. If only its response's body exceeds this, only the body is skipped.
 */
export const maxElementBytes: number = 32 * 2 ** 20;
/** Most levels of brackets in an element. */
export const maxNesting = 64;

/** How much of a value to hold: nothing, all of it, or an entry with or without its response's body. */
type Keeping = "nothing" | "value" | "entry" | "entry without body";

/**
 * Cuts one JSON value out of a stream of bytes. It checks only strings, brackets, commas and colons, so that
 * it also finds the end of invalid JSON (NaN, a bad escape). A value whose end cannot be found is broken.
 */
export class ValueCutter {
  readonly held: HeldBytes = new HeldBytes();
  readonly #bodyFinder = new BodyFinder();
  #keeping: Keeping = "nothing";
  /** Kinds of the brackets that are open, down to the limit; deeper ones are only counted. */
  readonly #open: number[] = [];
  #tooDeep = 0;
  /** Kind of the last byte that was not a space; `illegal` at the start of the value. */
  #previous = json.illegal;
  #isInString = false;
  #isEscaped = false;
  /** True if the string is a key that may be on the path to the body, or the body itself. */
  #isWatchedKey = false;
  #isBody = false;
  #isComplete = false;
  /** Index in the chunk of the first byte that is not yet held. */
  #pieceStart = 0;
  /** True if the value's end cannot be found: brackets do not match, or a token is out of place. */
  isBroken = false;
  isTooDeep = false;

  begin(keeping: Keeping): void {
    this.#keeping = keeping;
    this.held.reset(keeping !== "nothing", keeping === "entry");
    this.#bodyFinder.reset();
    // Emptied, not replaced: a new list for each value would be most of the garbage.
    while (this.#open.length > 0) this.#open.pop();
    this.#tooDeep = 0;
    this.#previous = json.illegal;
    this.#isInString = this.#isEscaped = this.#isWatchedKey = this.#isBody = false;
    this.#isComplete = this.isBroken = this.isTooDeep = false;
  }

  /**
   * Continues the value from an index.
   *
   * @returns The index after the value, or of the byte that breaks it; null if the value continues in the
   * next chunk.
   */
  take(chunk: Uint8Array, from: number): number | null {
    this.#pieceStart = from;
    let at = from;
    while (at < chunk.length) {
      if (this.#isInString) {
        at = this.#skipString(chunk, at);
      } else {
        const kind = json.kindOfByte[chunk[at] ?? 0] ?? json.illegal;
        const endsScalar = this.#previous === json.scalar && this.#open.length === 0 && kind !== json.scalar;
        if (endsScalar) return this.#end(chunk, at);
        if (kind === json.scalar) this.#previous = kind;
        else if (kind !== json.space && !this.#step(kind, chunk, at)) {
          this.isBroken = true;
          return this.#end(chunk, at);
        }
        at++;
      }
      if (this.#isComplete) return this.#end(chunk, at);
    }
    this.held.add(chunk.subarray(this.#pieceStart));
    return null;
  }

  #end(chunk: Uint8Array, at: number): number {
    this.held.add(chunk.subarray(this.#pieceStart, at));
    return at;
  }

  /** Handles a bracket, quote, comma or colon. Returns false if it is not allowed here. */
  #step(kind: number, chunk: Uint8Array, at: number): boolean {
    const previous = this.#previous;
    this.#previous = kind;
    switch (kind) {
      case json.quote:
        return this.#beginString(previous, chunk, at);
      case json.openObject:
      case json.openList:
        return this.#openBracket(kind, previous);
      case json.closeObject:
      case json.closeList:
        return this.#closeBracket(kind);
      case json.colon:
        if (this.#tooDeep > 0) return true;
        return this.#isInObject() && (previous === json.quote || previous === json.scalar);
      default:
        return kind === json.comma && this.#open.length > 0;
    }
  }

  #isInObject(): boolean {
    return this.#open.at(-1) === json.openObject;
  }

  /** Returns true if a value may begin after this kind of byte: in an object, in a list, or at the top. */
  #mayBegin(previous: number): boolean {
    if (this.#tooDeep > 0) return true;
    if (this.#open.length === 0) return previous === json.illegal;
    return this.#isInObject()
      ? previous === json.colon
      : previous === json.openList || previous === json.comma;
  }

  #openBracket(kind: number, previous: number): boolean {
    if (!this.#mayBegin(previous)) return false;
    if (this.#open.length === maxNesting) {
      this.#tooDeep++;
      this.isTooDeep = true;
      return true;
    }
    if (kind === json.openObject) this.#bodyFinder.open(this.#open.length);
    this.#open.push(kind);
    return true;
  }

  #closeBracket(kind: number): boolean {
    if (this.#tooDeep > 0) {
      this.#tooDeep--;
      return true;
    }
    this.#bodyFinder.close(this.#open.length);
    const opened = this.#open.pop();
    this.#isComplete = this.#open.length === 0;
    return opened === (kind === json.closeObject ? json.openObject : json.openList);
  }

  #beginString(previous: number, chunk: Uint8Array, at: number): boolean {
    const depth = this.#open.length;
    const isKey = this.#isInObject() && (previous === json.openObject || previous === json.comma);
    if (!isKey && !this.#mayBegin(previous)) return false;
    this.#isInString = true;
    if (this.#keeping === "nothing" || this.#keeping === "value" || this.#tooDeep > 0) return true;
    if (isKey) {
      this.#isWatchedKey = this.#bodyFinder.beginKey(depth);
    } else if (this.#isInObject() && this.#bodyFinder.isBody(depth)) {
      this.held.add(chunk.subarray(this.#pieceStart, at));
      this.#pieceStart = at;
      this.#isBody = true;
      this.held.beginBody();
    }
    return true;
  }

  /** Returns the index after the string, or the end of the chunk. */
  #skipString(chunk: Uint8Array, from: number): number {
    let at = from;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at++;
    }
    // Searching for a byte is many times faster than looking at each: bodies are most of a file.
    for (let quote = chunk.indexOf(json.quoteByte, at); quote !== -1;) {
      if (!isEscaped(chunk, at, quote)) {
        this.#endString(chunk, from, quote);
        return quote + 1;
      }
      at = quote + 1;
      quote = chunk.indexOf(json.quoteByte, at);
    }
    // True if a backslash at the end of the chunk escapes the first byte of the next.
    this.#isEscaped = isEscaped(chunk, at, chunk.length);
    if (this.#isWatchedKey) this.#bodyFinder.addToKey(chunk, from, chunk.length);
    return chunk.length;
  }

  #endString(chunk: Uint8Array, from: number, close: number): void {
    this.#isInString = false;
    this.#isComplete = this.#open.length === 0;
    if (this.#isWatchedKey) this.#bodyFinder.addToKey(chunk, from, close);
    this.#isWatchedKey = false;
    if (!this.#isBody) return;
    this.held.add(chunk.subarray(this.#pieceStart, close + 1));
    this.#pieceStart = close + 1;
    this.#isBody = false;
    this.held.endBody();
  }
}

/** Returns true if an odd number of backslashes precedes an index, counted back to `from`. */
function isEscaped(chunk: Uint8Array, from: number, at: number): boolean {
  let first = at;
  while (first > from && chunk[first - 1] === json.backslashByte) first--;
  return (at - first) % 2 === 1;
}

const path: readonly string[] = ["response", "content", "text"];

/** No key on the path is longer. */
const maxKeyLength = 8;

/**
 * Follows the brackets and keys of an entry, to find the text of its response's body:
 * `response.content.text`. A key with escapes is not recognized: then the body is read like any other text.
 */
class BodyFinder {
  /** Open objects on the path, besides the entry. */
  #matched = 0;
  /** The last key that could be on the path. */
  #key = "";

  reset(): void {
    this.#matched = 0;
    this.#key = "";
  }

  /**
   * Begins a key at a depth of brackets. Returns true if it could be on the path: then `addToKey` needs its
   * bytes.
   */
  beginKey(depth: number): boolean {
    this.#key = "";
    return depth === this.#matched + 1 && depth <= path.length;
  }

  /** Adds the bytes of a key between two indexes. */
  addToKey(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to && this.#key.length <= maxKeyLength; at++)
      this.#key += String.fromCharCode(bytes[at] ?? 0);
  }

  /** Notes that an object begins as a value, at a depth of brackets. */
  open(depth: number): void {
    if (depth < path.length && this.#isNext(depth)) this.#matched++;
    this.#key = "";
  }

  /** Returns true if the string that begins at this depth is the body. */
  isBody(depth: number): boolean {
    return depth === path.length && this.#isNext(depth);
  }

  /** Notes that a bracket at this depth closes. */
  close(depth: number): void {
    this.#matched = Math.min(this.#matched, Math.max(0, depth - 2));
    this.#key = "";
  }

  #isNext(depth: number): boolean {
    return depth === this.#matched + 1 && this.#key === path[depth - 1];
  }
}

const nothing = new TextEncoder().encode("null");

/**
 * Holds the bytes of a value, up to the limit. A response's body is held separately, with null in its place.
 */
class HeldBytes {
  readonly #rest = new ByteBuffer();
  readonly #body = new ByteBuffer();
  #isHolding = false;
  #isHoldingBody = false;
  #isInBody = false;
  /** Counted even if the body is not held, so that the same entries are too large in both cases. */
  #bodyBytes = 0;
  /** True if the value is too large even without its body: then nothing is held. */
  isTooLarge = false;
  /** True if the value is too large only because of its body: then the body is not held. */
  hasTooLargeBody = false;

  /** Begins a new value, to be held or to be skipped. */
  reset(isHolding: boolean, isHoldingBody: boolean): void {
    this.#rest.clear();
    this.#body.clear();
    this.#isHolding = isHolding;
    this.#isHoldingBody = isHoldingBody;
    this.#isInBody = false;
    this.#bodyBytes = 0;
    this.isTooLarge = this.hasTooLargeBody = false;
  }

  add(piece: Uint8Array): void {
    if (!this.#isHolding || this.isTooLarge) return;
    if (this.#isInBody) this.#bodyBytes += piece.length;
    const restBytes = this.#rest.length + (this.#isInBody ? 0 : piece.length);
    if (restBytes > maxElementBytes) {
      this.isTooLarge = true;
      this.#rest.clear();
      this.#body.clear();
      return;
    }
    if (restBytes + this.#bodyBytes > maxElementBytes) {
      this.hasTooLargeBody = true;
      this.#body.clear();
    }
    if (!this.#isInBody) this.#rest.add(piece);
    else if (this.#isHoldingBody && !this.hasTooLargeBody) this.#body.add(piece);
  }

  /** Begins the response's body. If an entry has several, the last one counts. */
  beginBody(): void {
    this.add(nothing);
    this.#isInBody = true;
    this.#bodyBytes = 0;
    this.#body.clear();
  }

  endBody(): void {
    this.#isInBody = false;
  }

  /** Returns the held bytes as text, without the body. */
  text(): string {
    return this.#rest.text();
  }

  /** Returns the body as written, in quotes; null if there is none, or it is not held. */
  bodyText(): string | null {
    return this.#body.length === 0 ? null : this.#body.text();
  }

  /** Returns a copy of the held bytes, without the body. */
  bytes(): Uint8Array {
    return this.#rest.view().slice();
  }
}

/** Enough for most values. */
const usualBytes = 8 * 1024;

/** Shared: each decoder has an object outside the heap, which costs more than a small text. */
const utf8 = new TextDecoder();

/**
 * A growing buffer that is reused for each value, so that a large file leaves no more garbage than a small
 * one.
 */
class ByteBuffer {
  #bytes = new Uint8Array(usualBytes);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  add(piece: Uint8Array): void {
    const length = this.length + piece.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      larger.set(this.view());
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.length);
    this.length = length;
  }

  /** Returns the gathered bytes. Valid until the next call of `add`. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  text(): string {
    return utf8.decode(this.view());
  }
}
