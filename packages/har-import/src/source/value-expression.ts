import { encodeSegment } from "../parse-pairs.ts";
import { type FreshValue, type Value, type ValuePart, type Atom, knownText } from "../value.ts";
import { memberOf, type NamedCode, objectInOrder, pairsOf, quoteText } from "./quote-text.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * How to encode a text for an address or a form; null to leave it. In a path segment, known text stays as readable as in
 * browsers: `list.do;jsessionid=`.
 */
type Encoding = "percent" | "segment" | null;

/** A piece of a text: known already, or code for it. */
export type Operand = { readonly text: string } | { readonly code: string; readonly isSafe: boolean };

/** Writes code for a value as a text. */
export function valueExpression(value: Value, vocabulary: Vocabulary): string {
  return joinOperands(operandsOf(value, vocabulary));
}

/** Writes code for a value in a query or a form, where numbers are allowed, too. */
function fieldExpression(value: Value, vocabulary: Vocabulary): string {
  const [only, ...others] = value;
  if (only?.kind === "fresh" && only.id === null && others.length === 0) {
    const { code, isNumber } = freshExpression(only.what);
    if (isNumber) return code;
  }
  return valueExpression(value, vocabulary);
}

/** Returns the pieces of a value, encoded for an address or a form if `encoding` says so. */
export function operandsOf(value: Value, vocabulary: Vocabulary, encoding: Encoding = null): Operand[] {
  return value.map((part) => {
    const operand = operandOf(part, vocabulary);
    if (encoding === null) return operand;
    if ("text" in operand) return { text: encode(operand.text, encoding) };
    return operand.isSafe ? operand : { code: `encodeURIComponent(${operand.code})`, isSafe: true };
  });
}

function encode(text: string, encoding: Exclude<Encoding, null>): string {
  return encoding === "percent" ? encodeURIComponent(text.toWellFormed()) : encodeSegment(text);
}

/** Writes code that joins pieces into one text. */
export function joinOperands(operands: readonly Operand[]): string {
  const written: string[] = [];
  let text = "";
  const flush = (): void => {
    if (text !== "") written.push(quoteText(text));
    text = "";
  };
  for (const operand of operands) {
    if ("text" in operand) text += operand.text;
    else {
      flush();
      written.push(operand.code);
    }
  }
  flush();
  return written.length === 0 ? '""' : written.join(" + ");
}

function operandOf(part: ValuePart, vocabulary: Vocabulary): Operand {
  switch (part.kind) {
    case "text":
      return { text: part.text };
    case "variable":
      return { code: memberOf("env", part.name), isSafe: false };
    case "extracted":
      return { code: vocabulary.extracted.get(part.name) ?? '""', isSafe: false };
    case "cookie":
      return { code: cookieExpression(part, vocabulary), isSafe: false };
    case "fresh":
      return freshOperand(part.what, part.id, vocabulary);
    case "column": {
      const words = vocabulary.tables.get(part.table);
      const row = words?.rows.get(part.row);
      const key = words?.keys.get(part.column);
      if (row === undefined || key === undefined) return { text: "" };
      return { code: memberOf(row, key), isSafe: false };
    }
  }
}

function cookieExpression(
  { name, origin, isDecoded }: Extract<ValuePart, { kind: "cookie" }>,
  vocabulary: Vocabulary,
): string {
  const from = origin === vocabulary.origin ? "" : `, ${quoteText(origin)}`;
  const value = `http.cookies.get(${quoteText(name)}${from}) ?? ""`;
  return isDecoded === true ? `decodeURIComponent(${value})` : `(${value})`;
}

function freshOperand(what: FreshValue, id: string | null, vocabulary: Vocabulary): Operand {
  const shared = id === null ? undefined : vocabulary.fresh.get(id);
  const isSafe = what !== "iso date";
  if (shared !== undefined) return { code: shared.identifier, isSafe };
  return { code: freshText(what), isSafe };
}

/** Writes code that generates a value as a text. */
export function freshText(what: FreshValue): string {
  const { code, isNumber } = freshExpression(what);
  return isNumber ? `String(${code})` : code;
}

const maxDigits = 15;

function freshExpression(what: FreshValue): { code: string; isNumber: boolean } {
  switch (what) {
    case "uuid":
      return { code: "random.uuid()", isNumber: false };
    case "milliseconds":
      return { code: "Date.now()", isNumber: true };
    case "seconds":
      return { code: "Math.floor(Date.now() / 1000)", isNumber: true };
    case "iso date":
      return { code: "new Date().toISOString()", isNumber: false };
    case "fraction":
      return { code: "random()", isNumber: true };
    default:
      return digitsExpression(what.digits);
  }
}

/** Writes code for random digits: more than a number holds are written as several numbers. */
function digitsExpression(digits: number): { code: string; isNumber: boolean } {
  const codes: string[] = [];
  for (let left = Math.max(1, digits); left > 0; left -= maxDigits) {
    const some = Math.min(left, maxDigits);
    codes.push(`random.integer(${10 ** (some - 1)}, ${10 ** some - 1})`);
  }
  const [only = "", ...others] = codes;
  if (others.length === 0) return { code: only, isNumber: true };
  return { code: codes.map((code) => `String(${code})`).join(" + "), isNumber: false };
}

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
  const named = atoms.map(({ name, value }): NamedCode => [name, fieldExpression(value, vocabulary)]);
  const object = objectInOrder(named);
  return object === null && atoms.every(isAsWritten) ? null : (object ?? pairsOf(named));
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

function isFaithful(atoms: readonly Atom[]): boolean {
  return atoms.every((atom) => {
    const { name, value } = atom;
    if (!isAsWritten(atom)) return name !== "";
    return new URLSearchParams([[name, knownText(value) ?? ""]]).toString() === atom.written;
  });
}
