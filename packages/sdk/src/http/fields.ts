/** A value in a query or a form; `undefined` leaves it out. */
export type FieldValue = string | number | boolean | undefined;

/** Fields of a query or a form by name, a `URLSearchParams`, or pairs. A list writes the name once for each value. */
export type Fields =
  | Readonly<Record<string, FieldValue | readonly FieldValue[]>>
  | Iterable<readonly [name: string, value: FieldValue]>;

/** Headers by name, a `Headers`, or pairs. A list writes the name once for each value. */
export type HeaderFields =
  Readonly<Record<string, string | readonly string[]>> | Iterable<readonly [name: string, value: string]>;
