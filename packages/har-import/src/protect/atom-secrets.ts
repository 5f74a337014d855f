import { decodedMeanings } from "@bearhug/text/secrets/decoded-view";
import { isSecretValue, isSecretName } from "@bearhug/text/secrets/secret-names";

import type { CapturedRequest, JsonShape, CapturedBody, CaptureModel } from "../capture-model.ts";
import { type AtomPlace, mapRequests, visitAtoms } from "../map-atoms.ts";
import { isNamingKey, isValueKey, secretNameAmong } from "../secrets/described-values.ts";
import { isBuildHeader } from "../secrets/build-headers.ts";
import { findSecrets, type FoundSecret, isHashName, type TextPlace } from "../secrets/find-secrets.ts";
import { isBuiltPath, isTokenSegment, nameOfTokenAfter } from "../secrets/path-tokens.ts";
import { type Atom, knownText, textValue, textOf } from "../value.ts";
import { knownJson } from "../json-shape.ts";
import type { PasswordFields } from "./credentials.ts";

/** Headers that are long and random by nature, but not secret: a boundary, an entity tag. */
const randomHeader =
  /^(content-type|content-disposition|accept|accept-language|if-match|digest|content-md5)$/i;

/** Finds the secrets in one part of an atom's value: by the atom's name or by their looks, at any depth. */
export function findAtomSecrets(
  text: string,
  atom: Atom,
  place: AtomPlace,
  passwords: PasswordFields,
): FoundSecret[] {
  if (place.kind === "path") return findInSegment(text, atom, place);
  // Beside a part that is known only when the test runs, the text may be a scheme or a separator, which is
  // not secret.
  const isWhole = knownText(atom.value) === text;
  if (isWhole && passwords.has(text, atom, place))
    return [{ start: 0, end: text.length, name: atom.name, kind: "password", inner: decodedMeanings(text) }];
  const name = isWhole || (text.length >= 6 && /\d/.test(text)) ? nameOf(text, atom, place) : "";
  const secretName =
    place.kind === "text" || (place.kind === "header" && isBuildHeader(atom.name)) ? "" : name;
  const found = findSecrets(text, secretName, placeOf(atom, place));
  if (!isWhole || !isOpaque(text, found)) return found;
  const inner = found.map(({ start, end }) => text.slice(start, end));
  return [{ start: 0, end: text.length, name: secretName || "body", kind: "secret", inner }];
}

function nameOf(text: string, atom: Atom, { kind, request }: AtomPlace): string {
  const body = request?.body;
  if (kind !== "json" || body?.kind !== "json") return atom.name;
  const beside = nameBeside(atom, body.root);
  return beside !== "" && isSecretValue(beside, text) ? beside : atom.name;
}

function placeOf({ name }: Atom, { kind, request }: AtomPlace): TextPlace {
  if (kind === "header" && isBuildHeader(name)) return { mayBeRandom: true };
  if (kind === "header") return { isHeader: true, mayBeRandom: randomHeader.test(name) };
  if (kind === "query") return { mayBeRandom: isStaticFile(request) };
  return { mayBeRandom: kind === "json" && isHashName(name) };
}

function findInSegment(text: string, { name }: Atom, { request }: AtomPlace): FoundSecret[] {
  const mayBeRandom = isStaticFile(request);
  if (!mayBeRandom && isTokenSegment(text, name))
    return [{ start: 0, end: text.length, name: nameOfTokenAfter(name), kind: "secret", inner: [] }];
  const found = findSecrets(text, "", { mayBeRandom });
  return found.map((one) => (one.name === "" ? { ...one, name: "path_token" } : one));
}

/** A cache: every atom of a request needs this. */
const judged = new WeakMap<CapturedRequest, boolean>();

function isStaticFile(request: AtomPlace["request"]): boolean {
  if (request === null) return false;
  const isStatic = judged.get(request) ?? judgePath(request);
  judged.set(request, isStatic);
  return isStatic;
}

function judgePath(request: CapturedRequest): boolean {
  const segments = request.path.map(textOf);
  return isBuiltPath(segments);
}

const besideByRoot = new WeakMap<JsonShape, ReadonlyMap<Atom, string>>();

/** Returns the name beside a JSON value that makes it secret although its own key does not, or "". */
function nameBeside(atom: Atom, root: JsonShape): string {
  let names = besideByRoot.get(root);
  if (names === undefined) {
    names = namesBeside(root);
    besideByRoot.set(root, names);
  }
  return names.get(atom) ?? "";
}

function namesBeside(root: JsonShape): Map<Atom, string> {
  const names = new Map<Atom, string>();
  const walk = (shape: JsonShape, outerKey: string, isInList: boolean): void => {
    if (shape.kind === "list") {
      const [first, second] = shape.items;
      if (isInList && shape.items.length === 2 && first?.kind === "string" && second !== undefined)
        note(second, secretNameAmong([textOfShape(first)]));
      for (const item of shape.items) walk(item, outerKey, true);
    }
    if (shape.kind !== "object") return;
    const siblings = shape.fields.flatMap(([key, value]) => (isNamingKey(key) ? [textOfShape(value)] : []));
    const name = secretNameAmong([...siblings, outerKey]);
    for (const [key, value] of shape.fields) {
      if (isValueKey(key)) note(value, name);
      walk(value, key, false);
    }
  };
  const note = (shape: JsonShape, name: string): void => {
    if (name !== "" && (shape.kind === "string" || shape.kind === "number")) names.set(shape.atom, name);
  };
  walk(root, "", false);
  return names;
}

function textOfShape(shape: JsonShape): string {
  return shape.kind === "string" ? textOf(shape.atom) : "";
}

/** Fewest random words in an opaque text. */
const leastInText = 4;
/** The smallest part of an opaque text that they cover. */
const leastShare = 1 / 3;
/** Fewest characters of a random value. */
const leastRandomCharacters = 20;
/** Fewest random values in an opaque body: what a program measured. */
const leastInBody = 20;

/** Returns true for a secret that no name reveals: it only looks random. */
function isByLooks({ kind, name }: FoundSecret): boolean {
  return kind === "secret" && !isSecretName(name);
}

/** Returns true for encrypted or compressed data: a text whose random words are separated only by chance. */
function isOpaque(text: string, found: readonly FoundSecret[]): boolean {
  const random = found.filter(isByLooks);
  if (random.length < leastInText || random.length < found.length) return false;
  const covered = random.reduce((sum, { start, end }) => sum + end - start, 0);
  return !/\s/.test(text) && covered >= text.length * leastShare;
}

/** Joins each body of nothing but random values into one text, and so into one variable. */
export function joinOpaqueBodies(model: CaptureModel, passwords: PasswordFields): CaptureModel {
  const counts = new Map<CapturedRequest, number>();
  visitAtoms(model, (atom, place) => {
    const { kind, request } = place;
    const text = kind === "json" || kind === "form" ? knownText(atom.value) : null;
    if (request === null || text === null || !mayBeOpaque(request.body)) return;
    const found = findAtomSecrets(text, atom, place, passwords);
    // A password belongs to a person, who must be able to supply it.
    const count = found.some((one) => one.kind === "password") ? -Infinity : found.filter(isByLooks).length;
    if (count !== 0) counts.set(request, (counts.get(request) ?? 0) + count);
  });
  if (counts.size === 0) return model;
  const join = (request: CapturedRequest): CapturedRequest => {
    const isRandom = (counts.get(request) ?? 0) >= leastInBody;
    const text = isRandom && request.body !== null ? sentText(request.body) : null;
    if (text === null) return request;
    return { ...request, body: { kind: "text", text: { name: "", value: textValue(text), written: null } } };
  };
  return mapRequests(model, join);
}

/** Returns true if a body has enough in it to be opaque. False for most bodies. */
function mayBeOpaque(body: CapturedBody | null): boolean {
  if (body?.kind === "json") return body.written.length >= leastInBody * leastRandomCharacters;
  return body?.kind === "form" && body.fields.length >= leastInBody;
}

/** Returns a body as it was sent; null if a part of it is known only when the test runs. */
function sentText(body: CapturedBody): string | null {
  if (body.kind === "json") return knownJson(body.root) === null ? null : body.written;
  if (body.kind !== "form") return null;
  const written = body.fields.map((field) => field.written);
  return written.includes(null) ? null : written.join("&");
}
