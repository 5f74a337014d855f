import { decodedMeanings } from "@bearhug/text/secrets/decoded-view";
import { findNamedValues } from "@bearhug/text/secrets/named-values";
import { mergeSpans, replaceSpans } from "@bearhug/text/secrets/span";
import { exampleEmail } from "../secrets/emails.ts";
import { searchKey, type FoundSecret, findSecrets, type TextPlace } from "../secrets/find-secrets.ts";
import { scanJsonScalars } from "../secrets/json-scalars.ts";
import { isUserField } from "../secrets/login-fields.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import { isDistinctive, isUuid } from "../secrets/random-text.ts";
import { looksSecret } from "../secrets/secret-looks.ts";
import { SeenTexts } from "../secrets/seen-texts.ts";

/**
 * Digits of a placeholder: all have the same number, so that none is the beginning of another:
 * `REDACTED-000001`.
 */
const digits = 6;
/** Makes a placeholder look random. */
const random = "k7Qx2Zt9Lw4Vb8Ny";
const placeholders = new RegExp(`REDACTED-\\d{6}(?:-${random})?|0{8}-0000-4000-8000-\\d{12}`, "g");
/** Numbers from here on replace secret ones: they are as unlikely to occur by chance. */
const firstNumber = 9_000_000_000;
const maxEscapes = 3;

/** Redacts the texts of a capture. */
export interface Redactor {
  /** Redacts the secrets in a named text. */
  readonly text: (text: string, name?: string, place?: TextPlace) => string;
  /** Redacts a text that is secret as a whole, whatever it is. */
  readonly whole: (text: string) => string;
  /** Like `whole`, but the same text in any other place is the same secret. */
  readonly wholeEverywhere: (text: string) => string;
}

/**
 * Returns a placeholder: a UUID for a UUID, and a random text for a random one, because an import recognizes
 * values by their looks, too.
 */
function placeholderOf(secret: string, number: number): string {
  if (isUuid(secret)) return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const name = `REDACTED-${String(number).padStart(digits, "0")}`;
  return isDistinctive(secret) || looksSecret(secret) ? `${name}-${random}` : name;
}

/**
 * Creates a redactor that learns what is secret and changes nothing: for the first pass over the file.
 *
 * @param passwordInputs Names of the fields that the capture's HTML displays as passwords.
 */
export function createCollector(known: KnownSecrets, passwordInputs: ReadonlySet<string>): Redactor {
  const wholeEverywhere = (text: string): string => {
    known.add(text, "", "secret");
    return text;
  };
  const learned = new SeenTexts();
  return {
    text: (text, name = "", place = {}) => {
      if (passwordInputs.has(name)) return wholeEverywhere(text);
      const key = searchKey(text, name, place);
      if (learned.has(key)) return text;
      learned.add(key);
      const found = [...findSecrets(text, name, place), ...findInputValues(text, passwordInputs)];
      known.addFound(text, found);
      return text;
    },
    whole: (text) => text,
    wholeEverywhere,
  };
}

/**
 * Creates a redactor that replaces what is known to be secret or looks so: the same secret by the same
 * placeholder in the whole file.
 */
export function createRedactor(known: KnownSecrets, passwordInputs: ReadonlySet<string>): Redactor {
  const numbers = new Map<string, number>();
  const numberOf = (spelling: string): number => {
    const secret = unescape(spelling, known);
    const number = numbers.get(secret) ?? numbers.size + 1;
    numbers.set(secret, number);
    return number;
  };
  const whole = (text: string): string =>
    text === "" || isPlaceholder(text) ? text : placeholderOf(text, numberOf(text));

  const redact = (text: string, name: string, place: TextPlace): string => {
    if (known.isWholeValue(text)) return whole(text);
    const found = [
      ...findSecrets(text, name, place),
      ...known.findUnnamed(text),
      ...findWholeValues(text, known),
      ...findInputValues(text, passwordInputs),
    ];
    const spans = mergeSpans(found.flatMap((span) => besidePlaceholders(span, text)));
    return replaceSpans(text, spans, ({ start, end, kind }) => {
      const spelling = text.slice(start, end);
      if (kind === "email" && !known.isWholeValue(spelling)) return exampleEmail;
      return isJsonNumber(text, start, end) ? String(firstNumber + numberOf(spelling)) : whole(spelling);
    });
  };
  const unchanged = new SeenTexts();
  return {
    text: (text, name = "", place = {}) => {
      if (passwordInputs.has(name)) return whole(text);
      const key = searchKey(text, name, place);
      if (unchanged.has(key)) return text;
      const shown = redact(text, name, place);
      if (shown === text) unchanged.add(key);
      return shown;
    },
    whole,
    wholeEverywhere: whole,
  };
}

/**
 * Finds passwords in a body of JSON or parts: the values of fields that the capture's HTML displays as
 * passwords.
 */
function findInputValues(text: string, inputs: ReadonlySet<string>): FoundSecret[] {
  if (![...inputs].some((name) => text.includes(name))) return [];
  const scalars = scanJsonScalars(text)?.filter(({ kind }) => kind !== "key") ?? [];
  // A JSON key with the name of such a field may mean anything.
  const isLogin = scalars.some(({ key }) => isUserField(key));
  const values = [
    ...(isLogin ? scalars.map((scalar) => ({ ...scalar, name: scalar.key })) : []),
    ...(isMultipart.test(text) ? findNamedValues(text) : []),
  ];
  return values
    .filter(({ name, start, end }) => end > start && inputs.has(name))
    .map(({ name, start, end }) => ({ name, start, end, kind: "password", inner: [] }));
}

const isMultipart = /^--[^\r\n]{1,200}\r?\ncontent-disposition: form-data/i;

function isPlaceholder(text: string): boolean {
  return text.replace(placeholders, "") === "" && text.match(placeholders)?.length === 1;
}

/**
 * Cuts placeholders out of a secret, because they look like one. The rest is a secret only if it looks so
 * itself.
 */
function besidePlaceholders(span: FoundSecret, text: string): FoundSecret[] {
  const pieces: FoundSecret[] = [];
  let at = span.start;
  for (const { 0: one, index } of text.slice(span.start, span.end).matchAll(placeholders)) {
    pieces.push({ ...span, start: at, end: span.start + index });
    at = span.start + index + one.length;
  }
  if (at === span.start) return [span];
  const all = [...pieces, { ...span, start: at }];
  return all.filter(({ start, end }) => findSecrets(text.slice(start, end), "").length > 0);
}

/** Finds values of a JSON text that are too short to be searched for anywhere else. */
function findWholeValues(text: string, known: KnownSecrets): FoundSecret[] {
  return (scanJsonScalars(text) ?? [])
    .filter((scalar) => scalar.kind !== "key" && known.isWholeValue(scalar.text))
    .map(({ start, end, key }) => ({ start, end, name: key, kind: "secret", inner: [] }));
}

/** Returns true for a number of a JSON text, in whose place a word would be invalid. */
function isJsonNumber(text: string, start: number, end: number): boolean {
  if (!/^-?\d[\d.eE+-]*$/.test(text.slice(start, end)) || !/^\s*[[{]/.test(text)) return false;
  return text[start - 1] !== '"';
}

/**
 * Returns the secret that a spelling stands for, so that it is the same everywhere: the least escaped reading
 * that is known.
 */
function unescape(spelling: string, known: KnownSecrets): string {
  let secret = spelling;
  let candidates = [spelling];
  for (let escapes = 0; escapes < maxEscapes && candidates.length > 0; escapes++) {
    candidates = candidates.flatMap(decodedMeanings);
    secret = candidates.find((candidate) => known.nameOf(candidate) !== undefined) ?? secret;
  }
  return secret;
}
