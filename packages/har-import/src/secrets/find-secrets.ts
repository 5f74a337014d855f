import { decodedViews, decodedMeanings } from "@bearhug/text/secrets/decoded-view";
import { findNamedValues } from "@bearhug/text/secrets/named-values";
import { isPasswordName, isSecretValue } from "@bearhug/text/secrets/secret-names";
import { mergeSpans, type Span } from "@bearhug/text/secrets/span";
import { readBase64Text } from "../base64.ts";
import { findDescribedValues } from "./described-values.ts";
import { findEmails } from "./emails.ts";
import { type JsonScalar, scanJsonScalars } from "./json-scalars.ts";
import { isLoginPhone, isPasswordBeside, mayBeOfLogin } from "./login-fields.ts";
import { findPathTokens } from "./path-tokens.ts";
import { findSecretLooks } from "./secret-looks.ts";
import { findWellKnown } from "./secret-shapes.ts";
import { SeenTexts } from "./seen-texts.ts";

/** A secret in a text. */
export interface FoundSecret extends Span {
  /** Its name; "" if it has none. */
  readonly name: string;
  readonly kind: "password" | "secret" | "email";
  /** The secret without its escapes, and secrets inside an encoded value. */
  readonly inner: readonly string[];
}

/** The kind of place where a text was found. */
export interface TextPlace {
  readonly isHeader?: boolean;
  /**
   * True for texts that are long and random by nature (addresses of static files, entity tags, boundaries):
   * only well-known shapes count there.
   */
  readonly mayBeRandom?: boolean;
}

/** Levels of encoding: JSON in JSON, base64 in JSON, an address in base64. */
const maxDepth = 4;
/** The scheme of credentials. Any other first word is a part of them. */
const scheme = /^\s{0,8}(?:bearer|basic|digest|negotiate|token|apikey|aws4-hmac-sha256)\s{1,8}(?=\S)/i;
const schemeHeader = /^(?:proxy-)?authorization$/i;
/** Names of ids: a row's number may have the check digit of a card's. */
const idName = /(?:^|[^A-Za-z])[iI][dD]s?$|[a-z]I[dD]s?$/;
const leastBase64 = 12;
const longText = 100_000;
const userInfoShape = /\/\/([^/\s@?#"<>]{1,500})@/g;

/** Returns a key for everything that the search for secrets depends on. */
export function searchKey(text: string, name: string, place: TextPlace, depth = 0): string {
  const flags = Number(place.isHeader === true) + 2 * Number(place.mayBeRandom === true);
  return `${depth} ${flags} ${name.length} ${name}${text}`;
}

const harmless = new SeenTexts();

/**
 * Finds the secrets in a named text: by name and looks, at any depth. Returns them in order, without
 * overlaps.
 */
export function findSecrets(text: string, name: string, place: TextPlace = {}, depth = 0): FoundSecret[] {
  if (text === "") return [];
  const key = searchKey(text, name, place, depth);
  if (harmless.has(key)) return [];
  const found = lookForSecrets(text, name, place, depth);
  if (found.length === 0) harmless.add(key);
  return found;
}

function lookForSecrets(text: string, name: string, place: TextPlace, depth: number): FoundSecret[] {
  if (isSecretValue(name, text, place.isHeader)) return [wholeSecret(text, name, place)];
  const scalars = depth < maxDepth ? scanJsonScalars(text) : null;
  if (scalars !== null) return mergeFound(text, findInScalars(scalars, text, depth + 1));
  const isIdNumber = /^\d+$/.test(text) && idName.test(name);
  const looks = place.mayBeRandom === true || isIdNumber ? findWellKnown(text) : findSecretLooks(text);
  const unreadable = looks.filter(({ start, end }) => isSecretWord(text.slice(start, end), depth));
  const userInfo = findUserInfo(text, name);
  const emails = findEmails(text).filter(
    (email) => !userInfo.some(({ end }) => email.start < end && end < email.end),
  );
  return mergeFound(text, [
    ...(depth < maxDepth ? findNested(text, name, place, depth + 1) : []),
    ...unreadable.map((span) => ({ ...span, name, kind: "secret" as const, inner: [] })),
    ...findPathTokens(text).map((span) => ({ ...span, kind: "secret" as const, inner: [] })),
    ...userInfo,
    ...emails.map((span) => ({ ...span, name: "email", kind: "email" as const, inner: [] })),
  ]);
}

/** Merges overlapping secrets into one that contains them all. */
function mergeFound(text: string, found: readonly FoundSecret[]): FoundSecret[] {
  return mergeSpans(found).map((merged) => {
    const within = found.filter(({ start, end }) => start >= merged.start && end <= merged.end);
    if (within.length === 1) return merged;
    const slices = within
      .filter(({ kind }) => kind !== "email")
      .map(({ start, end }) => text.slice(start, end));
    return { ...merged, inner: [...new Set([...within.flatMap(({ inner }) => inner), ...slices])] };
  });
}

/** Returns a whole value as a secret, without the scheme of its credentials. */
function wholeSecret(text: string, name: string, { isHeader }: TextPlace): FoundSecret {
  const hasScheme = isHeader === true && schemeHeader.test(name);
  const schemeLength = hasScheme ? (scheme.exec(text)?.[0].length ?? 0) : 0;
  const credentials = text.slice(schemeLength);
  const decoded = isHeader === true ? readBase64Text(credentials) : null;
  const password = decoded === null ? undefined : /^[^:]{1,200}:(.{1,200})$/s.exec(decoded)?.[1];
  return {
    start: schemeLength,
    end: text.length,
    name,
    kind: isPasswordName(name) ? "password" : "secret",
    inner: [...decodedMeanings(credentials), ...(password === undefined ? [] : [password])],
  };
}

/**
 * Returns true for the name of a hash: it identifies content, not a person. Persisted GraphQL queries have
 * one.
 */
export function isHashName(name: string): boolean {
  return /^(sha-?\d+(hash)?|md5|integrity|checksum|etag)$/i.test(name);
}

function findInScalars(scalars: readonly JsonScalar[], text: string, depth: number): FoundSecret[] {
  const keys = [...new Set(scalars.map(({ key }) => key))];
  const suspects = new Set(keys.filter(mayBeOfLogin));
  return scalars.flatMap((scalar) => {
    if (scalar.kind !== "key" && suspects.has(scalar.key) && isOfLogin(scalar, keys))
      return [{ start: scalar.start, end: scalar.end, name: scalar.key, kind: "secret", inner: [] }];
    const isNamedBeside = scalar.beside !== "" && isSecretValue(scalar.beside, scalar.text);
    const name = scalar.kind === "key" ? "" : isNamedBeside ? scalar.beside : scalar.key;
    const place = { mayBeRandom: isHashName(name) };
    return within(scalar, text, scalar.text, findSecrets(scalar.text, name, place, depth));
  });
}

/** Returns true for a phone number or a code by which somebody logs in. */
function isOfLogin({ key, text }: JsonScalar, keys: readonly string[]): boolean {
  return isLoginPhone(key, text, keys) || isPasswordBeside(key, text, keys);
}

function findNested(text: string, name: string, place: TextPlace, depth: number): FoundSecret[] {
  const named = [...findNamedValues(text), ...findDescribedValues(text)]
    .filter((value) => isSecretValue(value.name, value.text, place.isHeader) || mayHold(value.text))
    .flatMap((value) => within(value, text, value.text, findSecrets(value.text, value.name, place, depth)));
  // A long text is written for people: its escapes contain no secrets.
  const deeper = text.length > longText ? maxDepth : depth;
  return [...named, ...findInViews(text, name, place, deeper), ...findInBase64(text, depth)];
}

/** Returns true if a value may contain more than the text around it shows: JSON, base64, an address. */
function mayHold(text: string): boolean {
  return text.length >= leastBase64 && (/^\s*[[{]|[=%:]/.test(text) || /^[\w+/-]+$/.test(text));
}

/** Maps secrets found in the decoded text of a span to spans of the text around it. */
function within(span: Span, text: string, decoded: string, found: readonly FoundSecret[]): FoundSecret[] {
  const [first] = found;
  if (first === undefined) return [];
  if (decoded === text.slice(span.start, span.end))
    return found.map((one) => ({ ...one, start: span.start + one.start, end: span.start + one.end }));
  const inner = found.flatMap((one) => [...one.inner, decoded.slice(one.start, one.end)]);
  return [{ ...first, start: span.start, end: span.end, inner }];
}

/** Finds secrets that are spelled with escapes: `alice%40shop.test`. */
function findInViews(text: string, name: string, place: TextPlace, depth: number): FoundSecret[] {
  return decodedViews(text, { base64: false }).flatMap((view) =>
    findSecrets(view.text, name, place, depth).map((one) => ({
      ...one,
      ...view.toOriginal(one),
      inner: [...one.inner, view.text.slice(one.start, one.end)],
    })),
  );
}

/** Returns true if a random word is a secret. Base64 of a text is one only if the text has secrets. */
function isSecretWord(text: string, depth: number): boolean {
  const decoded = readBase64(text);
  return decoded === null || depth >= maxDepth || findSecrets(decoded, "", {}, depth + 1).length > 0;
}

/** Finds secrets in a whole value that is the base64 of a text. */
function findInBase64(text: string, depth: number): FoundSecret[] {
  const decoded = readBase64(text);
  if (decoded === null) return [];
  return within({ start: 0, end: text.length }, text, decoded, findSecrets(decoded, "", {}, depth));
}

function readBase64(value: string): string | null {
  return value.length >= leastBase64 && /^\s*[\w+/-]+=*\s*$/.test(value) ? readBase64Text(value) : null;
}

/** Finds the user info of URLs. A user name before a password is kept. */
function findUserInfo(text: string, name: string): FoundSecret[] {
  if (!text.includes("@")) return [];
  return [...text.matchAll(userInfoShape)].map(({ index, 1: info = "" }) => {
    const secret = info.slice(info.indexOf(":") + 1);
    const end = index + "//".length + info.length;
    return { start: end - secret.length, end, name, kind: "secret", inner: decodedMeanings(secret) };
  });
}
