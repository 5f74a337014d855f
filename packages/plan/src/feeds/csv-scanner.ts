const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** A quote in the wrong place. It is unknown where the fields after it end. */
export interface QuoteMistake {
  readonly kind: "text-after-quote" | "quote-in-unquoted" | "never-closed";
  /** The offset of the quote; for a quote that is never closed, that of the opening one. */
  readonly offset: number;
}

/**
 * Finds where the rows of a CSV (RFC 4180) begin and end, and counts their fields, without
 * decoding their values.
 */
export class CsvScanner {
  readonly #bytes: Uint8Array;
  readonly #delimiter: Uint8Array;
  /** Old Macs end lines with a carriage return alone. */
  readonly rowEnd: "\n" | "\r";
  readonly #rowEndByte: number;
  #next: number;
  /** The offset of the current row. */
  start = 0;
  /** The offset after its last field. */
  end = 0;
  fields = 0;
  mistake: QuoteMistake | null = null;

  constructor(bytes: Uint8Array, delimiter: string, offset = 0) {
    this.#bytes = bytes;
    this.#delimiter = new TextEncoder().encode(delimiter);
    this.#next = offset;
    this.rowEnd = findRowEnd(bytes, offset);
    this.#rowEndByte = this.rowEnd === "\n" ? lineFeed : carriageReturn;
  }

  /** True if the row consists of delimiters only. */
  get hasOnlyDelimiters(): boolean {
    return this.end - this.start === (this.fields - 1) * this.#delimiter.length;
  }

  /**
   * Advances to the next row that is not empty; returns false after the last one. A row with a {@link
   * mistake} is the last.
   */
  advance(): boolean {
    const bytes = this.#bytes;
    const delimiterLength = this.#delimiter.length;
    const [delimiterByte] = this.#delimiter;
    const rowEnd = this.#rowEndByte;
    if (this.mistake !== null) return false;
    let at = this.#next;
    while (at < bytes.length && this.#endsRow(at)) at += 1;
    this.start = at;
    if (at >= bytes.length) return false;
    let fields = 1;
    let isFieldStart = true;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === rowEnd) break;
      if (byte === quote) {
        const closing = this.#findClosingQuote(at, isFieldStart);
        if (closing === null) break;
        at = closing;
        isFieldStart = false;
      } else if (byte === delimiterByte && (delimiterLength === 1 || this.#isDelimiter(at))) {
        fields += 1;
        at += delimiterLength - 1;
        isFieldStart = true;
      } else isFieldStart = false;
    }
    this.fields = fields;
    this.end = this.#endsRow(at - 1) ? at - 1 : at;
    this.#next = at;
    return true;
  }

  /** Returns the offset of the closing quote; null if a quote is in the wrong place. */
  #findClosingQuote(opening: number, isFieldStart: boolean): number | null {
    if (!isFieldStart) return this.#fail("quote-in-unquoted", opening);
    const bytes = this.#bytes;
    for (let at = opening + 1; at < bytes.length; at += 1) {
      if (bytes[at] !== quote) continue;
      if (bytes[at + 1] === quote) at += 1;
      else if (at + 1 === bytes.length || this.#isDelimiter(at + 1) || this.#endsRow(at + 1)) return at;
      else return this.#fail("text-after-quote", at);
    }
    return this.#fail("never-closed", opening);
  }

  #fail(kind: QuoteMistake["kind"], offset: number): null {
    this.mistake = { kind, offset };
    return null;
  }

  #isDelimiter(at: number): boolean {
    return this.#delimiter.every((byte, index) => this.#bytes[at + index] === byte);
  }

  #endsRow(at: number): boolean {
    const byte = this.#bytes[at];
    if (byte === this.#rowEndByte) return true;
    if (byte !== carriageReturn) return false;
    return this.#bytes[at + 1] === lineFeed || at + 1 === this.#bytes.length;
  }
}

/**
 * Returns a line feed, with or without a carriage return before it, unless the first line ends with a
 * carriage return alone.
 */
function findRowEnd(bytes: Uint8Array, offset: number): "\n" | "\r" {
  let isQuoted = false;
  for (let at = offset; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) isQuoted = !isQuoted;
    else if (byte === lineFeed && !isQuoted) return "\n";
    else if (byte === carriageReturn && !isQuoted) return bytes[at + 1] === lineFeed ? "\n" : "\r";
  }
  return "\n";
}
