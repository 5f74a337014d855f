import type { Span } from "./span.ts";

/**
 * Texts are looked up by so many of their first characters. Shorter texts are not indexed: they would be
 * found by chance.
 */
export const minKnownLength = 6;
const hashSize = 1 << 16;
/** Longer texts are recognized by so many of their first characters. */
const maxSpelled = 2_048;
const longMatch = 64;

/**
 * An index of texts in all their encoded forms. Adding a text takes microseconds; a search reads the searched
 * text once.
 */
export class KnownTexts {
  readonly #byBeginning = new Map<string, string[]>();
  /** Created with the first text: most indexes stay empty, and their 64 kB would take longest to create. */
  #hashes: Uint8Array | null = null;
  readonly #spellings = new Set<string>();
  readonly #keepsNumbers: boolean;
  readonly #isSpelled: boolean;
  size = 0;

  /**
   * `keepsNumbers`: do not find a number within a longer number. `isSpelled: false`: find texts as they are,
   * but not their encoded forms, which takes a twentieth of the time and memory.
   */
  constructor({
    keepsNumbers = false,
    isSpelled = true,
  }: { readonly keepsNumbers?: boolean; readonly isSpelled?: boolean } = {}) {
    this.#keepsNumbers = keepsNumbers;
    this.#isSpelled = isSpelled;
  }

  get isEmpty(): boolean {
    return this.#spellings.size === 0;
  }

  add(text: string): void {
    if (text.length < minKnownLength) return;
    this.size++;
    if (this.#isSpelled) for (const spelling of spellings(text, maxSpelled)) this.#addSpelling(spelling);
    else this.#addSpelling(text);
  }

  /** Returns all occurrences of the indexed texts. It does not decode escapes in `text`. */
  find(text: string): Span[] {
    const found: Span[] = [];
    const hashes = this.#hashes;
    if (hashes === null) return found;
    for (let start = 0; start + minKnownLength <= text.length; start++) {
      if (hashes[hashAt(text, start)] === 0) continue;
      for (const known of this.#byBeginning.get(text.slice(start, start + minKnownLength)) ?? []) {
        const end = endOf(known, text, start);
        if (end === null || (this.#keepsNumbers && isPartOfNumber(text, start, end))) continue;
        found.push({ start, end });
        // Otherwise, repetitive text would be compared again at every character.
        if (end - start < longMatch) continue;
        start = end - 1;
        break;
      }
    }
    return found;
  }

  /**
   * For a text that was cut anywhere: finds an indexed text whose end it begins with, or whose beginning it
   * ends with.
   */
  findAtEdges(text: string): Span[] {
    if (text.length < minKnownLength) return [];
    const [head, tail] = [text.slice(0, minKnownLength), text.slice(-minKnownLength)];
    const found: Span[] = [];
    for (const spelling of this.#spellings) {
      for (let at = spelling.indexOf(head); at >= 0; at = spelling.indexOf(head, at + 1)) {
        if (text.startsWith(spelling.slice(at))) found.push({ start: 0, end: spelling.length - at });
      }
      for (let at = spelling.indexOf(tail); at >= 0; at = spelling.indexOf(tail, at + 1)) {
        const length = at + tail.length;
        if (text.endsWith(spelling.slice(0, length)))
          found.push({ start: text.length - length, end: text.length });
      }
    }
    return found;
  }

  #addSpelling(spelling: string): void {
    if (spelling.length < minKnownLength || this.#spellings.has(spelling)) return;
    this.#spellings.add(spelling);
    const beginning = spelling.slice(0, minKnownLength);
    const others = this.#byBeginning.get(beginning);
    if (others === undefined) this.#byBeginning.set(beginning, [spelling]);
    else others.push(spelling);
    this.#hashes ??= new Uint8Array(hashSize);
    this.#hashes[hashAt(spelling, 0)] = 1;
  }
}

/** Returns the end of the known text if it occurs at `start`; null if it does not. */
function endOf(known: string, text: string, start: number): number | null {
  if (known.length <= maxSpelled) return text.startsWith(known, start) ? start + known.length : null;
  if (!text.startsWith(known.slice(0, maxSpelled), start)) return null;
  return start + (text.startsWith(known, start) ? known.length : maxSpelled);
}

function hashAt(text: string, at: number): number {
  const [a, b, c] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
  return (((a * 31 + b) * 31 + c) * 31 + text.charCodeAt(at + 3)) & (hashSize - 1);
}

/** True if the span has digits only and is part of a longer number. */
function isPartOfNumber(text: string, start: number, end: number): boolean {
  return (
    /^\d+$/.test(text.slice(start, end)) &&
    (/\d\.?$/.test(text.slice(Math.max(0, start - 2), start)) || /^\.?\d/.test(text.slice(end, end + 2)))
  );
}

/** Declared here because every JavaScript platform has both, and the SDK needs the types of none. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const btoa: (bytes: string) => string;

/**
 * Returns the encoded forms of a text: as it is, with spaces as `+`, as UTF-8 bytes (one character each), in
 * hexadecimal digits and in base64.
 */
function spellings(text: string, maxCharacters: number): string[] {
  const beginning = text.slice(0, maxCharacters);
  const bytes = toBytes(beginning);
  const inside = [
    bytes,
    toBytes(JSON.stringify(beginning).slice(1, -1)),
    encodeURIComponent(beginning.toWellFormed()),
  ];
  const base64 = [...new Set(inside)].flatMap(base64Forms);
  const hex = toHex(bytes);
  return [
    text,
    text.replaceAll(" ", "+"),
    bytes,
    bytes.replaceAll(" ", "+"),
    hex,
    hex.toUpperCase(),
    ...base64,
  ];
}

function toBytes(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

function toHex(bytes: string): string {
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

/**
 * Returns the characters of some bytes' base64 that do not depend on the preceding bytes, for each of the
 * three possible offsets in a group of three bytes. So a password is found within the base64 of
 * `user:password`, too. For each offset, there are forms for bytes that are followed by others, and for bytes
 * at the end.
 */
function base64Forms(bytes: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = btoa("\0".repeat(before) + bytes);
    const first = Math.ceil((before * 8) / 6);
    const middle = whole.slice(first, Math.floor(((before + bytes.length) * 8) / 6));
    return [middle, whole.slice(first), whole.slice(first).replace(/=+$/, "")].flatMap((form) => [
      form,
      form.replaceAll("+", "-").replaceAll("/", "_"),
    ]);
  });
}
