import { isIdentifier } from "@bearhug/text/identifier";
import { isPasswordName } from "@bearhug/text/secrets/secret-names";

import type { CapturedRequest, CaptureModel } from "../capture-model.ts";
import { type AtomPlace, mapAtoms, mapRequests, requestsOf, atomsOfBody } from "../map-atoms.ts";
import { anySegment } from "../path-pattern.ts";
import { printable } from "../printable.ts";
import { exampleEmail } from "../secrets/emails.ts";
import { isUserField } from "../secrets/login-fields.ts";
import { type Atom, knownText, textValue, type Value, type ValuePart, textOf } from "../value.ts";

/** Fields in which a person names what they create: many sites accept each name once. */
const namingField = /^(?:.*[._[-])?(?:name|title|slug|e-?mail|user_?name)\]?$/i;
/** JSON keys of a response that identify what was created. */
const identifyingKey = /(?:^|[.\]])(?:id|uuid|key|slug|name|path)$|(?:Id|_id)$/;
const shortest = 3;
/** Places in which a name may be sent again. */
const sentKinds: ReadonlySet<AtomPlace["kind"]> = new Set(["path", "query", "form", "json", "multipart"]);

/** The last segment of the path of a sign-up. */
const signUp =
  /^(?:sign[-_]?up|register|registrations?|join|(?:create|new)[-_]?account|users|accounts|members|customers)$/i;
/** The variable of an e-mail address has this name, whatever its field is called. */
const emailVariable = /^EMAIL(_\d+)?$/;

/** One number per iteration: the names in it belong together. */
const unique: ValuePart = { kind: "fresh", what: { digits: 9 }, id: "unique" };

/** Adds a hint to each request that creates something: which of the names in it may have to differ. */
export function noteNames(model: CaptureModel): CaptureModel {
  const note = (request: CapturedRequest): CapturedRequest => {
    const named = [...namesIn(request), ...accountNamesIn(request)];
    const names = [...new Set(named.map(({ name }) => printable(name, 40)))];
    if (names.length === 0) return request;
    const hint = `if the site takes each ${names.join(" and each ")} only once, import with --unique`;
    return { ...request, hints: [...request.hints, hint] };
  };
  return mapRequests(model, note);
}

/** Makes the names of what is created differ in each iteration, wherever they are sent. */
export function makeNamesUnique(model: CaptureModel): CaptureModel {
  const requests = requestsOf(model);
  const names = namesOfCreated(requests);
  const accounts = accountsIn(requests);
  return mapAtoms(model, ({ value }, { kind }) => {
    if (!sentKinds.has(kind)) return value;
    const variable = variableOf(value);
    // As a prefix, which also suits an e-mail address.
    if (variable !== null && accounts.has(variable)) return [unique, ...textValue("-"), ...value];
    const text = knownText(value);
    return text === null || !names.has(text) ? value : uniqueValue(text);
  });
}

/**
 * Returns the names of what is created, except for words of the site's own paths: another word there leads
 * nowhere.
 */
function namesOfCreated(requests: readonly CapturedRequest[]): Set<string> {
  const words = new Set<string>();
  const names = new Set<string>();
  /** Names of fields for a name: an edit may rename what was created. */
  const fields = new Set<string>();
  for (const request of requests) {
    for (const word of wordsOfPath(request)) words.add(word);
    for (const { name } of namesIn(request)) fields.add(name);
    const others = newNamesIn(request).filter(({ name }) => fields.has(name));
    const named = [...namesIn(request), ...accountNamesIn(request), ...others];
    for (const name of named.flatMap(({ value }) => knownText(value) ?? []))
      if (!words.has(name)) names.add(name);
  }
  return names;
}

/**
 * Returns the path segments that exist before something is created. In requests other than POST, the last one
 * may be a name: such a request may ask if it is taken.
 */
function wordsOfPath({ method, path }: CapturedRequest): string[] {
  const end = method === "POST" || path.length === 1 ? path.length : -1;
  return path.slice(0, end).flatMap(({ value }) => knownText(value) ?? []);
}

/**
 * Returns the variables that name an account which the visit creates, without those that logged in before.
 */
function accountsIn(requests: readonly CapturedRequest[]): Set<string> {
  const seen = new Set<string>();
  const created = new Set<string>();
  for (const request of requests) {
    for (const name of accountNamesIn(request).flatMap(({ value }) => variableOf(value) ?? []))
      if (!seen.has(name)) created.add(name);
    for (const { value } of atomsOfBody(request.body)) seen.add(variableOf(value) ?? "");
  }
  return created;
}

/** Returns the fields of a sign-up that identify a user: the user name, the e-mail address. */
function accountNamesIn(request: CapturedRequest): Atom[] {
  if (!createsAccount(request)) return [];
  return atomsOfBody(request.body).filter(({ name, value }) => {
    if (knownText(value) === exampleEmail) return true;
    const variable = variableOf(value);
    return variable !== null && (namingField.test(name) || isUserField(name) || emailVariable.test(variable));
  });
}

/** Returns true for a form that sends a new password: twice, or to a path for creating accounts. */
function createsAccount({ method, path, body }: CapturedRequest): boolean {
  if (method !== "POST" && method !== "PUT") return false;
  const passwords = atomsOfBody(body).filter(
    ({ name, value }) => isPasswordName(name) && variableOf(value) !== null,
  );
  const variables = new Set(passwords.map(({ value }) => variableOf(value)));
  if (variables.size !== 1) return false;
  return passwords.length > 1 || signUp.test(knownText(path.at(-1)?.value ?? []) ?? "");
}

/** Returns the name of the variable that is the whole value; null for any other value. */
function variableOf(value: Value): string | null {
  const [part] = value;
  return value.length === 1 && part?.kind === "variable" ? part.name : null;
}

function uniqueValue(text: string): Value {
  const at = /^[^\s@]+(?=@[^\s@]+$)/.exec(text)?.[0].length ?? text.length;
  const separator = at < text.length ? "+" : /\s/.test(text) ? " " : "-";
  return [...textValue(text.slice(0, at) + separator), unique, ...textValue(text.slice(at))];
}

/** Returns the names that a person typed for what a request creates. */
function namesIn(request: CapturedRequest): Atom[] {
  return createsSomething(request) ? typedNamesIn(request) : [];
}

/** Returns the names in a request that changes something, and may rename it. */
function newNamesIn(request: CapturedRequest): Atom[] {
  const { method, landsOn } = request;
  const isChange = method === "PUT" || method === "PATCH" || (method === "POST" && landsOn !== null);
  return isChange ? typedNamesIn(request) : [];
}

function typedNamesIn({ body }: CapturedRequest): Atom[] {
  return atomsOfBody(body).filter(({ name, value }) => {
    const text = knownText(value) ?? "";
    return namingField.test(name) && text.length >= shortest && /\p{L}/u.test(text);
  });
}

/**
 * Returns true if a request created something: its response has the status 201 or identifies the object, or it
 * is an accepted form under `/add` or `/new`.
 */
function createsSomething(request: CapturedRequest): boolean {
  const { method, recordedStatus, landsOn, extractions } = request;
  if (creatingPath(request) !== null) return true;
  if (method !== "POST" && method !== "PUT") return false;
  const landsOnObject = landsOn?.split("/").includes(anySegment) ?? false;
  const isIdentified = extractions.some(
    ({ from }) => "segment" in from || ("json" in from && identifyingKey.test(from.json)),
  );
  return recordedStatus === 201 || landsOnObject || isIdentified;
}

/** The end of the path of a form for something new: `/roles/add`, `/admin/notes/add/`. */
const newWord = /^(?:add|create|new)$/i;

/**
 * Returns the words before `add`, `new` or `create` in the path of a form that was accepted: it redirected
 * elsewhere, such as to a list. null for any other request.
 */
function creatingPath({ method, path, landsOn }: CapturedRequest): readonly string[] | null {
  if (method !== "POST" || landsOn === null) return null;
  const words = path.map(textOf).filter((word) => word !== "");
  const last = words.pop() ?? "";
  return words.length > 0 && newWord.test(last) ? words : null;
}

/**
 * Adds a hint to a request if its path has the recorded id of an object that an earlier request may have
 * created. Such an id is not extracted if the site leads from the form to a list, which shows it among
 * others.
 */
export function noteCreatedIds(model: CaptureModel): CaptureModel {
  const seen = new Set<string>();
  /** The last request that created something, by the words of its path before `add`. */
  const creators = new Map<string, string>();
  const note = (request: CapturedRequest): CapturedRequest => {
    const segments = request.path.map(textOf);
    const [id] = segments.filter((segment) => isIdentifier(segment) && !seen.has(segment));
    const creator = id === undefined ? undefined : creatorOf(segments, creators);
    for (const segment of segments) seen.add(segment);
    const words = creatingPath(request);
    if (words !== null) creators.set(words.join("/"), `${request.method} /${segments.join("/")}`);
    return creator === undefined ? request : { ...request, hints: [...request.hints, hintId(creator)] };
  };
  return mapRequests(model, note);
}

function creatorOf(segments: readonly string[], creators: ReadonlyMap<string, string>): string | undefined {
  const path = segments.join("/");
  return [...creators].find(([words]) => path.startsWith(`${words}/`))?.[1];
}

function hintId(creator: string): string {
  return `the id in this path is the recorded one: if ${printable(creator, 120)} created it, extract it from the response`;
}
