import { isSecretName, isSecretUnder } from "@bearhug/sdk/internal";
import { isDistinctive, isPlain } from "../secrets/random-text.ts";
import { knownText } from "../value.ts";
import type { Use } from "./collect-uses.ts";
import { isIdName, isTokenName, isVersionName, meaningOf, ownerOf, wordsOf } from "./names.ts";
import type { PlacedRequest, Source } from "./source.ts";

/** How sure it is that a sent value comes from a response. A person decides about possible ones. */
type Verdict = "certain" | "possible" | "none";

/** Segments that say nothing about what an address is of. */
const ofEverything = /^(api|rest|graphql|data|public|v)$/i;

/** Judges if a use of a value comes from this source. Does not compare their times. */
export function judge(source: Source, use: Use): Verdict {
  const { value, from, name, isOneOfMany } = source.seen;
  const agrees = namesAgree(source, use);
  // One of a list is a person's choice, unless it is what no person chooses.
  if (isOneOfMany && !(isDistinctive(value) && isSecretName(name))) {
    const mayBeChosen = isDistinctive(value) || (agrees && (isIdentifying(source, use) || isTelling(value)));
    return mayBeChosen ? "possible" : "none";
  }
  if (isDistinctive(value)) return "certain";
  if (isCondition(use)) return isEntityTag(name) && value.length >= 4 ? "certain" : "none";
  if (!agrees) return "none";
  if (isSecretUnder(name, value) || isSecretUnder(use.name, value))
    return value.length >= 4 ? "certain" : "none";
  if (isFormsOwn(source, use) || isReturned(source, use)) return "certain";
  if (!isIdentifying(source, use)) return isTelling(value) && use.kind !== "header" ? "possible" : "none";
  if (isCreated(source.by) && /\d/.test(value)) return "certain";
  if (isPlain(value) || "between" in from) return "none";
  return "certain";
}

/** All that is looked at in the source of a value: sources of the same key are judged alike. */
export function sourceKey({ by, seen: { from, name, within, isOneOfMany } }: Source): string {
  const kind = "between" in from ? "between" : "field" in from ? "field" : "";
  const asked = isIdName(name) && ownerOf(name) === "" ? wordsInPath(by) : [];
  return JSON.stringify([name, within, isOneOfMany, kind, isCreated(by), asked]);
}

/** All that is looked at in a use of a value. */
export function useKey({ by, kind, name }: Use): string {
  const asked = kind === "path" || ownerOf(name) !== "" ? [] : wordsInPath(by);
  return JSON.stringify([kind, name, asked]);
}

/** Returns true for a form field's own value, such as a token: letters and digits that nobody typed. */
function isFormsOwn({ seen: { from, value, name } }: Source, use: Use): boolean {
  const isField = "field" in from && (use.kind === "form" || use.kind === "multipart") && name === use.name;
  return isField && /^[\w+/=.:-]{4,}$/.test(value) && isTelling(value);
}

/** Returns true if a value is sent back under the name it came by, such as the `version` of an optimistic lock. */
function isReturned({ seen: { from, value, name } }: Source, use: Use): boolean {
  if (use.kind === "path" || use.kind === "header" || name !== use.name) return false;
  if ("between" in from) return /^[\w-]{8,}$/.test(value) && /[A-Za-z]/.test(value) && isTelling(value);
  return isTelling(value) || (isVersionName(name) && /^\d{2,}$/.test(value));
}

function isTelling(value: string): boolean {
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

/** Names of what identifies a thing that a server created: `noteId`, `slug`. */
const identifierName = /^(id|uuid|guid|key|slug|name|path)$|(Id|ID|_id|Uuid|_uuid|Slug|_slug)$/;
/** Words that say what something is like, not which one it is. */
const commonWord =
  /^(null|none|true|false|home|index|default|draft|published|active|inactive|enabled|disabled|public|private|pending|open|closed|done|success|error|failed|created|updated|deleted|login|logout|welcome|thanks|dashboard|owner|admin(istrator)?|editor|author|viewer|member|manager|customer|user|guest|root|anonymous|english|german|french|spanish|deutsch|italian|[a-z]{2}[-_][A-Za-z]{2})$/i;
/** Shorter words may stand anywhere by chance. */
const minName = 4;
/** Shorter numbers may count something else. */
const longNumber = /^\d{5,}$/;

/** Returns true for the name or slug of what a request created, if the value was nowhere before: it may be all words. */
export function isCreatedName({ by, seen: { from, value, name, isOneOfMany, endsLink } }: Source): boolean {
  if (!isCreated(by) || isOneOfMany || value.length < minName) return false;
  if (commonWord.test(value)) return false;
  if (!/\p{L}/u.test(value)) return "json" in from && identifierName.test(name) && longNumber.test(value);
  return "segment" in from || endsLink === true || ("json" in from && identifierName.test(name));
}

/** Returns true if a request asks for something by a name or id: in its path, or in a field that says so. */
export function isAskedFor({ kind, name }: Use): boolean {
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

function namesAgree({ by, seen }: Source, use: Use): boolean {
  if (use.kind === "header" && /^authorization$/i.test(use.name)) return isTokenName(seen.name);
  const meaning = meaningOf(seen.name);
  const isBareId = isIdName(seen.name) && ownerOf(seen.name) === "";
  if (meaning !== "" && meaning === meaningOf(use.name) && !isBareId) return true;
  const owners = isBareId ? ownersOf(by, seen.within) : [ownerOf(seen.name)];
  const wished = use.kind === "path" || ownerOf(use.name) !== "" ? [ownerOf(use.name)] : wordsInPath(use.by);
  return owners.some((owner) => owner !== "" && wished.includes(owner));
}

/** Returns the nouns that an `id` may belong to: the key around it, else the words of the requested path. */
function ownersOf(by: PlacedRequest, within: string): string[] {
  const owner = ownerOf(within);
  return [...(owner === "" ? [] : [owner]), ...wordsInPath(by)];
}

function wordsInPath({ request }: PlacedRequest): string[] {
  return request.path.flatMap(({ value }) => {
    const text = knownText(value) ?? "";
    return /^[A-Za-z][A-Za-z_-]{1,40}$/.test(text) && !ofEverything.test(text) ? wordsOf(text).slice(-1) : [];
  });
}
