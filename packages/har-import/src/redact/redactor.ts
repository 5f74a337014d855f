import { readingsOf, mergeSpans, replaceSpans } from "@bearhug/sdk/internal";
import { exampleEmail } from "../secrets/emails.ts";
import { askedOf, type FoundSecret, findSecrets, type TextPlace } from "../secrets/find-secrets.ts";
import { scanJsonScalars } from "../secrets/json-scalars.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import { SeenTexts } from "../secrets/seen-texts.ts";

/** Of one length, so that none is the beginning of another: `REDACTED-000001`. */
const digits = 6;
const placeholder = /^REDACTED-\d{6}$/;
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
      const asked = askedOf(text, name, place);
      if (learned.has(asked)) return text;
      learned.add(asked);
      const found = findSecrets(text, name, place);
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
  const placeholders = new Map<string, number>();
  const numberOf = (spelling: string): number => {
    const secret = unescape(spelling, known);
    const number = placeholders.get(secret) ?? placeholders.size + 1;
    placeholders.set(secret, number);
    return number;
  };
  const whole = (text: string): string =>
    text === "" || placeholder.test(text) ? text : `REDACTED-${String(numberOf(text)).padStart(digits, "0")}`;

  const redact = (text: string, name: string, place: TextPlace): string => {
    if (known.isWholeValue(text)) return whole(text);
    const elsewhere = known
      .find(text)
      .map((span): FoundSecret => ({ ...span, name: "", kind: "secret", inner: [] }));
    const spans = mergeSpans([
      ...findSecrets(text, name, place),
      ...elsewhere,
      ...findWholeValues(text, known),
    ]);
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
      const asked = askedOf(text, name, place);
      if (unchanged.has(asked)) return text;
      const shown = redact(text, name, place);
      if (shown === text) unchanged.add(asked);
      return shown;
    },
    whole,
    wholeEverywhere: whole,
  };
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
