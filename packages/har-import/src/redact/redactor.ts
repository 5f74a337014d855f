import { findNamedValues, readingsOf, mergeSpans, replaceSpans } from "@bearhug/sdk/internal";
import { exampleEmail } from "../secrets/emails.ts";
import { searchKey, type FoundSecret, findSecrets, type TextPlace } from "../secrets/find-secrets.ts";
import { scanJsonScalars } from "../secrets/json-scalars.ts";
import { isUserField } from "../secrets/login-fields.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import { isDistinctive, isUuid } from "../secrets/random-text.ts";
import { looksSecret } from "../secrets/secret-looks.ts";
import { SeenTexts } from "../secrets/seen-texts.ts";

/** All have one length, so that none is the beginning of another: `REDACTED-000001`. */
const digits = 6;
/** Makes of a placeholder a text that looks random. */
const random = "k7Qx2Zt9Lw4Vb8Ny";
const placeholders = new RegExp(`REDACTED-\\d{6}(?:-${random})?|0{8}-0000-4000-8000-\\d{12}`, "g");
/** A number that stands for a secret one is as unlikely to be there by chance. */
const firstNumber = 9_000_000_000;
const maxEscapes = 3;

/** Writes texts into a capture that others may see. */
export interface Redactor {
  /** A text that goes by a name, without the secrets in it. */
  readonly text: (text: string, name?: string, place?: TextPlace) => string;
  /** A text that is secret as a whole, whatever it is. */
  readonly whole: (text: string) => string;
  /** As `whole`; and what else is the same text, in any place, is the same secret. */
  readonly wholeEverywhere: (text: string) => string;
}

/** A UUID stays one, and what looks random does: an import knows values by their looks, too. */
function placeholderOf(secret: string, number: number): string {
  if (isUuid(secret)) return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const name = `REDACTED-${String(number).padStart(digits, "0")}`;
  return isDistinctive(secret) || looksSecret(secret) ? `${name}-${random}` : name;
}

/**
 * Learns what is secret, and leaves everything as it is: for a first look at the whole file.
 *
 * @param passwordInputs Names of the fields that the capture's HTML shows as passwords.
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
      known.addFound(
        text,
        found.filter(({ kind }) => kind !== "email"),
      );
      return text;
    },
    whole: (text) => text,
    wholeEverywhere,
  };
}

/** Replaces what is known to be secret, and what looks so: the same secret by the same placeholder in the whole file. */
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
    const elsewhere = known
      .find(text)
      .map((span): FoundSecret => ({ ...span, name: "", kind: "secret", inner: [] }));
    const found = [
      ...findSecrets(text, name, place),
      ...elsewhere,
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

/** The passwords in a body of JSON or parts: the values of fields that the capture's HTML shows as such. */
function findInputValues(text: string, inputs: ReadonlySet<string>): FoundSecret[] {
  if (![...inputs].some((name) => text.includes(name))) return [];
  const scalars = scanJsonScalars(text)?.filter(({ kind }) => kind !== "key") ?? [];
  // A key of JSON may have the name of a field and be anything.
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

/** A secret without the placeholders in it, which look like secrets: what is left of it is one only if it looks so itself. */
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

/** The values of a JSON text that are too short to be looked for anywhere else. */
function findWholeValues(text: string, known: KnownSecrets): FoundSecret[] {
  return (scanJsonScalars(text) ?? [])
    .filter((scalar) => scalar.kind !== "key" && known.isWholeValue(scalar.text))
    .map(({ start, end, key }) => ({ start, end, name: key, kind: "secret", inner: [] }));
}

/** Returns true for a number of a JSON text, which a word in its place would break. */
function isJsonNumber(text: string, start: number, end: number): boolean {
  if (!/^-?\d[\d.eE+-]*$/.test(text.slice(start, end)) || !/^\s*[[{]/.test(text)) return false;
  return text[start - 1] !== '"';
}

/** The secret that a spelling means, so that it is one wherever it stands: of those that are known, the least escaped. */
function unescape(spelling: string, known: KnownSecrets): string {
  let meant = spelling;
  let candidates = [spelling];
  for (let escapes = 0; escapes < maxEscapes && candidates.length > 0; escapes++) {
    candidates = candidates.flatMap(readingsOf);
    meant = candidates.find((candidate) => known.nameOf(candidate) !== undefined) ?? meant;
  }
  return meant;
}
