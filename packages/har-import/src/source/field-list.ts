import { type Atom, knownText } from "../value.ts";
import { objectOf, quoteText } from "./quote-text.ts";
import { fieldExpression, type Operand, operandsOf } from "./value-expression.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Returns true if an atom still has its recorded value. */
export function isAsWritten(atom: Atom): atom is Atom & { readonly written: string } {
  return atom.written !== null && knownText(atom.value) !== null;
}

/**
 * Writes parameters or fields as an object literal, which the client encodes by itself, or as pairs if an
 * object would change their order; null if the client would not write recorded ones exactly as recorded.
 */
export function fieldsObject(atoms: readonly Atom[], vocabulary: Vocabulary): string | null {
  if (!isFaithful(atoms)) return null;
  const grouped = groupInOrder(atoms, ({ name }) => name);
  if (grouped === null && atoms.every(isAsWritten)) return null;
  if (grouped === null) {
    const pairs = atoms.map(
      ({ name, value }) => `[${quoteText(name)}, ${fieldExpression(value, vocabulary)}]`,
    );
    return `[${pairs.join(", ")}]`;
  }
  return objectOf(
    grouped.map(([name, values]) => {
      const codes = values.map(({ value }) => fieldExpression(value, vocabulary));
      return [name, codes.length === 1 ? (codes[0] ?? "") : `[${codes.join(", ")}]`] as const;
    }),
  );
}

/**
 * Writes parameters or fields as encoded text: recorded ones exactly as recorded, the others encoded when the
 * test runs.
 */
export function encodedFields(atoms: readonly Atom[], vocabulary: Vocabulary): Operand[] {
  return atoms.flatMap((atom, index): Operand[] => {
    const separator: Operand[] = index === 0 ? [] : [{ text: "&" }];
    if (isAsWritten(atom)) return [...separator, { text: atom.written }];
    const name = atom.name === "" ? "" : `${encodeURIComponent(atom.name.toWellFormed())}=`;
    return [...separator, { text: name }, ...operandsOf(atom.value, vocabulary, "percent")];
  });
}

/**
 * Groups items by name; null if an object literal would change their order: items of one name are not adjacent, or names
 * are numbers, which come first.
 */
export function groupInOrder<T>(items: readonly T[], nameOf: (item: T) => string): [string, T[]][] | null {
  const groups = Map.groupBy(items, nameOf);
  const entries = Object.entries(Object.fromEntries(groups));
  const order = entries.flatMap(([, members]) => members);
  return order.every((item, index) => item === items[index]) ? entries : null;
}

function isFaithful(atoms: readonly Atom[]): boolean {
  return atoms.every((atom) => {
    const { name, value } = atom;
    if (!isAsWritten(atom)) return name !== "";
    return new URLSearchParams([[name, knownText(value) ?? ""]]).toString() === atom.written;
  });
}
