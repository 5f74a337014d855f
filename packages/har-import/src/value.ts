/**
 * A value as the test will send it: the recorded text, in which parts may be known only when the test runs.
 * Parts are concatenated. A value as recorded is one part of text; "" is the empty list.
 */
export type Value = readonly ValuePart[];

export type ValuePart =
  /** As recorded. */
  | { readonly kind: "text"; readonly text: string }
  /** An environment variable, by its name. */
  | { readonly kind: "variable"; readonly name: string }
  /** A value of an earlier response: the name of an `Extraction`. */
  | { readonly kind: "extracted"; readonly name: string }
  /** The VU's cookie of this name at that moment, as a page's script reads it, percent-decoded if `isDecoded`. */
  | {
      readonly kind: "cookie";
      readonly name: string;
      readonly origin: string;
      readonly isDecoded?: true;
    }
  /** A value that the browser generated: the test generates a new one. */
  | FreshPart
  /** A field of a row of recorded data: see `DataTable`. */
  | { readonly kind: "column"; readonly table: string; readonly column: string; readonly row: number };

export interface FreshPart {
  readonly kind: "fresh";
  readonly what: FreshValue;
  /**
   * Parts with the same id share one value, generated once per iteration; null: generated where it is used.
   */
  readonly id: string | null;
}

/**
 * A random UUID; now, in milliseconds or seconds since the epoch or as ISO 8601; a random number from 0 to 1;
 * random digits.
 */
export type FreshValue =
  | "uuid"
  | "milliseconds"
  | "seconds"
  | "iso date"
  | "fraction"
  | { readonly digits: number };

/**
 * A value with its name: that of its query parameter, header, form field or JSON key. A path segment is named
 * after the segment before it.
 */
export interface Atom {
  readonly name: string;
  readonly value: Value;
  /**
   * The recorded spelling, name and encoding included (`q=a+b`, `caf%C3%A9`); null if there is none. Only
   * valid for the recorded value: set it to null with another value.
   */
  readonly written: string | null;
}

/** Returns a value that consists of text alone. */
export function textValue(text: string): Value {
  return text === "" ? [] : [{ kind: "text", text }];
}

/** Returns the text of a value that is fully known; null if a part is known only when the test runs. */
export function knownText(value: Value): string | null {
  let text = "";
  for (const part of value) {
    if (part.kind !== "text") return null;
    text += part.text;
  }
  return text;
}

/** Returns the text of an atom; "" if a part of it is known only when the test runs. */
export function textOf({ value }: Atom): string {
  return knownText(value) ?? "";
}

/** Returns the atom with another value; the same atom if the text is the same. */
export function withValue(atom: Atom, value: Value): Atom {
  const text = knownText(value);
  const isSame = value === atom.value || (text !== null && text === knownText(atom.value));
  return isSame ? atom : { name: atom.name, value, written: null };
}
