/**
 * A value as a test will send it: what was recorded, in which parts may be known only when the test runs.
 * Parts are concatenated. A value that nobody has looked at yet is one part of text; "" is the empty list.
 */
export type Value = readonly ValuePart[];

export type ValuePart =
  /** As recorded. */
  | { readonly kind: "text"; readonly text: string }
  /** An environment variable, by its name: what is secret. */
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
  /** A value that the browser generated, generated again. */
  | FreshPart
  /** A field of a row of recorded data: see `DataTable`. */
  | { readonly kind: "column"; readonly table: string; readonly column: string; readonly row: number };

export interface FreshPart {
  readonly kind: "fresh";
  readonly what: FreshValue;
  /** Parts with the same id are one value, made once in an iteration; null: made where it is used. */
  readonly id: string | null;
}

/** A random UUID; now, in milliseconds or seconds since the epoch or as ISO 8601; a number from 0 to 1; so many digits. */
export type FreshValue =
  | "uuid"
  | "milliseconds"
  | "seconds"
  | "iso date"
  | "fraction"
  | { readonly digits: number };

/** A value with its name: of a query parameter, header, form field or JSON key; of a path's segment, the segment before. */
export interface Atom {
  readonly name: string;
  readonly value: Value;
  /**
   * The recorded spelling, name and encoding included (`q=a+b`, `caf%C3%A9`), if it says more than the value. Only valid
   * as long as the value is as recorded: set it to null with another value.
   */
  readonly written: string | null;
}

/** A value of text alone. */
export function textValue(text: string): Value {
  return text === "" ? [] : [{ kind: "text", text }];
}

/** The text of a value that is known as a whole; null where a part is not. */
export function knownText(value: Value): string | null {
  let text = "";
  for (const part of value) {
    if (part.kind !== "text") return null;
    text += part.text;
  }
  return text;
}

/** An atom with another value; itself where it says the same. */
export function withValue(atom: Atom, value: Value): Atom {
  const text = knownText(value);
  const isSame = value === atom.value || (text !== null && text === knownText(atom.value));
  return isSame ? atom : { name: atom.name, value, written: null };
}
