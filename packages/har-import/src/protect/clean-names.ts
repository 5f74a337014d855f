import type { Extractor } from "@bearhug/sdk";
import { modifyingMethods } from "@bearhug/sdk/internal";
import { decodeBase64 } from "@bearhug/text/secrets/decoded-view";
import { mergeSpans, replaceSpans, type Span } from "@bearhug/text/secrets/span";
import type {
  CapturedBody,
  CapturedRequest,
  CaptureModel,
  JsonShape,
  MultipartPart,
  Proof,
  Referer,
} from "../capture-model.ts";
import { knownJson } from "../json-shape.ts";
import { mapEach, mapRequests } from "../map-atoms.ts";
import { withAnySegments } from "../path-pattern.ts";
import { findSecrets } from "../secrets/find-secrets.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import { masked, maskText } from "../secrets/mask-text.ts";
import { UniqueNames } from "../unique-names.ts";
import type { Atom } from "../value.ts";
import type { Variables } from "./variables.ts";

/** Masks secrets in names, keys and file names of a model, which cannot be variables. */
export function cleanNames(model: CaptureModel, known: KnownSecrets, variables: Variables): CaptureModel {
  const cleanAll = (atoms: readonly Atom[]): readonly Atom[] =>
    mapEach(atoms, (atom) => cleanAtom(atom, known));
  // A segment is named after the one before it. Its name is never sent.
  const cleanPath = (path: readonly Atom[]): readonly Atom[] =>
    mapEach(path, (atom) => {
      const name = maskText(atom.name, known);
      return name === atom.name ? atom : { ...atom, name };
    });
  const cleanReferer = (referer: Referer): Referer => {
    const [path, query] = [cleanPath(referer.path), cleanAll(referer.query)];
    return path === referer.path && query === referer.query ? referer : { path, query };
  };
  const isPrivate = (segment: string): boolean =>
    maskText(segment, known) !== segment || variables.replaces(segment);
  const cleanRequest = (request: CapturedRequest): CapturedRequest => {
    const method = maskText(request.method, known) === request.method ? request.method : "GET";
    const path = cleanPath(request.path);
    const [query, headers] = [cleanAll(request.query), cleanAll(request.headers)];
    const referer = request.referer === null ? null : cleanReferer(request.referer);
    const body = request.body === null ? null : cleanBody(request.body, known);
    const name = request.name === null ? null : withAnySegments(request.name, isPrivate);
    const landsOn = cleanLanding(request, known, isPrivate);
    const isHarmless = (proof: Proof): boolean => isHarmlessProof(proof, isPrivate);
    const proofs = request.proofs.every(isHarmless) ? request.proofs : request.proofs.filter(isHarmless);
    const extractions = mapEach(request.extractions, ({ name, from }) => ({
      name,
      from: cleanExtractor(from, known),
    }));
    const clean = { method, name, path, query, headers, referer, body, landsOn, proofs, extractions };
    const isSame =
      method === request.method &&
      name === request.name &&
      path === request.path &&
      query === request.query &&
      headers === request.headers &&
      referer === request.referer &&
      body === request.body &&
      landsOn === request.landsOn &&
      proofs === request.proofs &&
      extractions === request.extractions;
    return isSame ? request : { ...request, ...clean };
  };
  return {
    ...model,
    ...mapRequests(model, (request) => withBodyHint(request, cleanRequest(request))),
  };
}

function withBodyHint(recorded: CapturedRequest, clean: CapturedRequest): CapturedRequest {
  const hint = hintOpaqueBody(recorded.body, clean.body);
  return hint === null ? clean : { ...clean, hints: [...clean.hints, hint] };
}

/**
 * Returns a landing path without the recorded user's own page (`/users/janedoe`), where no other user ends.
 */
function cleanLanding(
  { method, landsOn }: CapturedRequest,
  known: KnownSecrets,
  isPrivate: (segment: string) => boolean,
): string | null {
  if (landsOn === null) return null;
  const path = withAnySegments(landsOn, isPrivate);
  if (path !== landsOn && !modifyingMethods.has(method)) return null;
  return maskText(path, known) === path ? path : null;
}

/** Returns false for a cookie that cannot be named without a secret: its path may be that of an invitation. */
function isHarmlessProof(proof: Proof, isPrivate: (text: string) => boolean): boolean {
  if (proof.kind !== "session") return true;
  return ![proof.cookie, ...new URL(proof.url).pathname.split("/")].some(isPrivate);
}

function cleanAtom(atom: Atom, known: KnownSecrets): Atom {
  const name = maskText(atom.name, known);
  return name === atom.name ? atom : { name, value: atom.value, written: null };
}

function cleanBody(body: CapturedBody, known: KnownSecrets): CapturedBody {
  switch (body.kind) {
    case "json": {
      const root = cleanShape(body.root, known);
      const text = knownJson(root);
      return { ...body, root, written: isSameJson(text, body.written, known) ? body.written : (text ?? "") };
    }
    case "form":
      return { ...body, fields: body.fields.map((field) => cleanAtom(field, known)) };
    case "multipart": {
      const boundary = known.find(body.boundary).length > 0 ? "----bearhug" : body.boundary;
      return { ...body, boundary, parts: body.parts.map((part) => cleanPart(part, known)) };
    }
    case "text":
      return { ...body, text: cleanAtom(body.text, known) };
    case "bytes":
      return { ...body, base64: cleanBytes(body.base64, known) };
  }
}

function cleanPart(part: MultipartPart, known: KnownSecrets): MultipartPart {
  const { atom, fileName, contentType } = part;
  return {
    ...part,
    atom: cleanAtom(atom, known),
    fileName: fileName === null ? null : maskText(fileName, known),
    contentType: contentType === null ? null : maskText(contentType, known),
  };
}

function cleanShape(shape: JsonShape, known: KnownSecrets): JsonShape {
  switch (shape.kind) {
    case "literal":
      return shape;
    case "string":
    case "number":
      return { ...shape, atom: cleanAtom(shape.atom, known) };
    case "list":
      return { ...shape, items: shape.items.map((item) => cleanShape(item, known)) };
    case "object": {
      const names = new UniqueNames({ separator: "-" });
      return {
        ...shape,
        fields: shape.fields.map(
          ([key, value]) => [names.take(maskText(key, known)), cleanShape(value, known)] as const,
        ),
      };
    }
  }
}

/** Returns true if a recorded text has the same content as the shape. A key that occurs twice loses its first value. */
function isSameJson(text: string | null, written: string, known: KnownSecrets): boolean {
  if (text === null || maskText(written, known) !== written) return false;
  try {
    return JSON.stringify(JSON.parse(written)) === JSON.stringify(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Replaces secrets in bytes with as many asterisks, so that nothing after them moves. */
function cleanBytes(base64: string, known: KnownSecrets): string {
  const bytes = decodeBase64(base64);
  // Compressed data contains apparent tokens and addresses by chance.
  const found = compressed.test(base64) ? [] : findSecrets(bytes, "", { mayBeRandom: true });
  const spans = mergeSpans<Span>([...known.find(bytes), ...found]);
  const clean = replaceSpans(bytes, spans, ({ start, end }) => "*".repeat(end - start));
  return clean === bytes ? base64 : btoa(clean);
}

/**
 * Removes secrets from an extractor. The texts around a value are cut off at a secret, and may then match
 * sooner. A name that is secret is masked, and no longer matches anything: a missing value is better than a
 * revealed secret.
 */
function cleanExtractor(from: Extractor, known: KnownSecrets): Extractor {
  if ("json" in from) return { json: cleanJsonPath(from.json, known) };
  if ("field" in from) return { ...from, field: maskText(from.field, known) };
  if ("meta" in from) return { meta: maskText(from.meta, known) };
  if ("header" in from) return { header: maskText(from.header, known) };
  if ("query" in from) return { query: maskText(from.query, known) };
  if ("segment" in from) return from;
  const [left, right] = from.between;
  return { ...from, between: [nearEnd(left, known), nearStart(right, known)] };
}

/** Checks each key by itself: together, ordinary keys may look as random as a secret. */
function cleanJsonPath(path: string, known: KnownSecrets): string {
  const isHarmless = (key: string): boolean => maskText(key, known) === key;
  return known.find(path).length === 0 && path.split(/[.[\]]/).every(isHarmless) ? path : masked;
}

function nearEnd(text: string, known: KnownSecrets): string {
  if (maskText(text, known) === text) return text;
  const end = known.find(text).at(-1)?.end ?? 0;
  return maskText(text.slice(end), known);
}

function nearStart(text: string, known: KnownSecrets): string {
  if (maskText(text, known) === text) return text;
  const start = known.find(text)[0]?.start ?? text.length;
  return maskText(text.slice(0, start), known);
}

/** The first characters of gzip, zlib and zip in base64. Compressed bodies cannot be searched. */
const compressed = /^\s*(?:H4sI|eA[E-H]|eF[4-7]|eJ[w-z]|eN[o-r]|UEsD)/;

/** Returns a warning about a binary body that is sent as recorded; null if none is needed. */
function hintOpaqueBody(recorded: CapturedBody | null, clean: CapturedBody | null): string | null {
  if (recorded?.kind !== "bytes" || clean?.kind !== "bytes") return null;
  if (clean.base64 !== recorded.base64)
    return "secrets in this binary body are replaced with asterisks: the site may reject it";
  if (compressed.test(recorded.base64))
    return "this compressed body was not searched: it is sent as recorded and may contain secrets";
  return null;
}
