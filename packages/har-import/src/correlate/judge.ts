import { isSecretName, isSecretValue } from "@bearhug/text/secrets/secret-names";
import { isBuildHeader } from "../secrets/build-headers.ts";
import { isDistinctive, isPlain } from "../secrets/random-text.ts";
import { knownText } from "../value.ts";
import type { Use, PlacedRequest } from "./uses.ts";
import { isIdName, isNextPage, isTokenName, isVersionName, meaningOf, ownerOf, wordsOf } from "./names.ts";
import type { Source } from "./read-sources.ts";

/** How sure it is that a sent value comes from a response. A person decides about possible ones. */
type Verdict = "certain" | "possible" | "none";

/** Segments that do not say what kind of object an address is about. */
const genericSegment = /^(api|rest|graphql|data|public|v)$/i;

/** Judges if a use of a value comes from this source. Does not compare their times. */
export function judge(source: Source, use: Use): Verdict {
  const { value, from, name, isOneOfMany } = source.seen;
  const agrees = namesAgree(source, use);
  // A person chose one of a list, unless it is a value that no person chooses.
  if (isOneOfMany && !(isDistinctive(value) && isSecretName(name))) {
    const mayBeChosen = isDistinctive(value) || (agrees && (isIdentifying(source, use) || isSpecific(value)));
    return mayBeChosen ? "possible" : "none";
  }
  // Part of the page's program, such as the id of an action of Next.js.
  if ("between" in from && use.kind === "header" && isBuildHeader(use.name)) return "none";
  if (isDistinctive(value)) return "certain";
  if (isCondition(use)) return isEntityTag(name) && value.length >= 4 ? "certain" : "none";
  if (isCursor(source, use)) return "certain";
  if (!agrees) return isNumberOfObject(source, use) ? "possible" : "none";
  if (isSecretValue(name, value) || isSecretValue(use.name, value))
    return value.length >= 4 ? "certain" : "none";
  if (isFormFieldValue(source, use) || isSentBack(source, use)) return "certain";
  if (!isIdentifying(source, use)) return isSpecific(value) && use.kind !== "header" ? "possible" : "none";
  if (isCreated(source.by) && /\d/.test(value)) return "certain";
  if (isPlain(value) || "between" in from) return "none";
  return "certain";
}

/** Returns all that `judge` reads from a source: sources with the same key are judged alike. */
export function sourceKey({ by, seen: { from, name, within, isOneOfMany } }: Source): string {
  const [kind = ""] = (["between", "field", "query"] as const).filter((one) => one in from);
  const pathWords = isIdName(name) && ownerOf(name) === "" ? wordsInPath(by) : [];
  return JSON.stringify([name, within, isOneOfMany, kind, isCreated(by), pathWords]);
}

/** Returns all that `judge` reads from a use: uses with the same key are judged alike. */
export function useKey({ by, kind, name }: Use): string {
  const pathWords = kind === "path" || ownerOf(name) !== "" ? [] : wordsInPath(by);
  return JSON.stringify([kind, name, pathWords]);
}

/** Returns true for the id of an object that is sent under another name: too long to be there by chance. */
function isNumberOfObject({ seen: { name, value } }: Source, use: Use): boolean {
  return isIdName(name) && use.kind !== "header" && /^\d{5,9}$/.test(value);
}

/**
 * Returns true for a form field's own value, such as a token or the number of an object: letters and digits
 * that nobody typed.
 */
function isFormFieldValue({ seen: { from, value, name } }: Source, use: Use): boolean {
  const isField = "field" in from && (use.kind === "form" || use.kind === "multipart") && name === use.name;
  if (!isField) return false;
  // Also a short one: a new database numbers its objects from 1.
  const isNumber = isIdName(name) && /^\d+$/.test(value);
  return isNumber || (/^[\w+/=.:-]{4,}$/.test(value) && isSpecific(value));
}

/**
 * Returns true if a value is sent back under its name in the response, such as the `version` of an optimistic
 * lock.
 */
function isSentBack({ seen: { from, value, name } }: Source, use: Use): boolean {
  if (use.kind === "path" || use.kind === "header" || name !== use.name) return false;
  if ("between" in from) return /^[\w-]{8,}$/.test(value) && /[A-Za-z]/.test(value) && isSpecific(value);
  return isSpecific(value) || (isVersionName(name) && /^\d{2,}$/.test(value));
}

/** Returns true for a value with which a list continues: letters and digits that nobody typed. */
function isCursor({ seen: { from, name, value } }: Source, use: Use): boolean {
  const isSent = use.kind !== "path" && use.kind !== "header";
  return isSent && !("between" in from) && isNextPage(name, use.name) && isSpecific(value);
}

function isSpecific(value: string): boolean {
  return !isPlain(value);
}

/** Returns true for `If-Match`, which sends back the entity tag of an earlier response. */
function isCondition({ kind, name }: Use): boolean {
  return kind === "header" && /^if-match$/i.test(name);
}

function isEntityTag(name: string): boolean {
  return /^_?e-?tag$/i.test(name);
}

/** Returns true for the id of something that the request created: it is extracted under any name. */
export function isCreatedId({ by, seen: { from, value, name } }: Source): boolean {
  return isCreated(by) && (isIdName(name) || "segment" in from) && value.length >= 5 && /\d/.test(value);
}

/** Returns true for the number of an object that the request created, if it has two digits or more. */
export function isCreatedNumber({ by, seen: { from, value, name } }: Source): boolean {
  return isCreated(by) && (isIdName(name) || "segment" in from) && /^\d{2,4}$/.test(value);
}

/** Names of fields that identify an object which a server created: `noteId`, `slug`. */
const identifierName = /^(id|uuid|guid|key|slug|name|path)$|(Id|ID|_id|Uuid|_uuid|Slug|_slug)$/;
/** Words that describe an object rather than identify it. */
const commonWord =
  /^(null|none|true|false|home|index|default|draft|published|active|inactive|enabled|disabled|public|private|pending|open|closed|done|success|error|failed|created|updated|deleted|login|logout|welcome|thanks|dashboard|owner|admin(istrator)?|editor|author|viewer|member|manager|customer|user|guest|root|anonymous|english|german|french|spanish|deutsch|italian|[a-z]{2}[-_][A-Za-z]{2})$/i;
/** Shorter words may occur anywhere by chance. */
const minName = 4;
/** Shorter numbers may count something else. */
const longNumber = /^\d{5,}$/;

/**
 * Returns true if a value may be the name or slug of an object that the request created. It may be an
 * ordinary word: the caller has to make sure that it did not occur before.
 */
export function isCreatedName({ by, seen: { from, value, name, isOneOfMany, endsLink } }: Source): boolean {
  if (!isCreated(by) || isOneOfMany || value.length < minName) return false;
  if (commonWord.test(value)) return false;
  if (!/\p{L}/u.test(value)) return "json" in from && identifierName.test(name) && longNumber.test(value);
  return "segment" in from || endsLink === true || ("json" in from && identifierName.test(name));
}

/** Returns true if a use identifies an object by name or id: in the path, or in a field for it. */
export function isLookup({ kind, name }: Use): boolean {
  return kind === "path" || (kind !== "header" && identifierName.test(name));
}

/** Returns true if the request may create something, whose id is in the response. */
function isCreated({ request: { method } }: PlacedRequest): boolean {
  return method === "POST" || method === "PUT";
}

/** Returns true if the names mark the value as an id. */
function isIdentifying({ seen }: Source, use: Use): boolean {
  return isIdName(seen.name) || isIdName(use.name) || use.kind === "path";
}

function namesAgree(source: Source, use: Use): boolean {
  const { by, seen } = source;
  if (isCreatedInQuery(source, use)) return true;
  if (use.kind === "header" && /^authorization$/i.test(use.name)) return isTokenName(seen.name);
  const meaning = meaningOf(seen.name);
  const isBareId = isIdName(seen.name) && ownerOf(seen.name) === "";
  if (meaning !== "" && meaning === meaningOf(use.name) && !isBareId) return true;
  const owners = isBareId ? ownersOf(by, seen.within) : [ownerOf(seen.name)];
  const useOwners =
    use.kind === "path" || ownerOf(use.name) !== "" ? [ownerOf(use.name)] : wordsInPath(use.by);
  return owners.some((owner) => owner !== "" && useOwners.includes(owner));
}

/**
 * Returns true for the parameter `id` of a page that a form led to, and the same parameter later: in
 * `view.php?id=7`, no noun says what kind of object it is about.
 */
function isCreatedInQuery({ by, seen: { from, name } }: Source, use: Use): boolean {
  return "query" in from && isCreated(by) && isIdName(name) && use.kind !== "header" && name === use.name;
}

/** Returns the nouns that an `id` may belong to: the key around it, and the words of the requested path. */
function ownersOf(by: PlacedRequest, within: string): string[] {
  const owner = ownerOf(within);
  return [...(owner === "" ? [] : [owner]), ...wordsInPath(by)];
}

function wordsInPath({ request }: PlacedRequest): string[] {
  return request.path.flatMap(({ value }) => {
    const text = knownText(value) ?? "";
    return /^[A-Za-z][A-Za-z_-]{1,40}$/.test(text) && !genericSegment.test(text)
      ? wordsOf(text).slice(-1)
      : [];
  });
}
