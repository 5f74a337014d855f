import type { Extractor } from "@bearhug/sdk";
import { modifyingMethods } from "@bearhug/sdk/internal";
import { decodeBase64 } from "@bearhug/text/secrets/decoded-view";
import { mergeSpans, replaceSpans, type Span } from "@bearhug/text/secrets/span";
import { tryJson } from "@bearhug/text/try-json";

import type {
  CapturedBody,
  CapturedRequest,
  CaptureModel,
  JsonShape,
  MultipartPart,
  Proof,
  CapturedStep,
  Omission,
} from "../capture-model.ts";
import { knownJson } from "../json-shape.ts";
import {
  type AtomPlace,
  mapEach,
  mapRequest,
  mapRequests,
  mapAtoms,
  requestsOf,
  withChanges,
} from "../map-atoms.ts";
import { withAnySegments } from "../path-pattern.ts";
import { findSecrets } from "../secrets/find-secrets.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import { masked, maskText } from "../secrets/mask-text.ts";
import { UniqueNames } from "../unique-names.ts";
import type { Atom, ValuePart } from "../value.ts";
import type { Variables } from "./variables.ts";

/** Masks secrets in names, keys and file names of a model, which cannot be variables. */
export function cleanNames(model: CaptureModel, known: KnownSecrets, variables: Variables): CaptureModel {
  const isPrivate = (segment: string): boolean =>
    maskText(segment, known) !== segment || variables.replaces(segment);
  return mapRequests(model, (request) => cleanRequest(request, known, isPrivate));
}

function cleanRequest(
  recorded: CapturedRequest,
  known: KnownSecrets,
  isPrivate: (segment: string) => boolean,
): CapturedRequest {
  const request = mapRequest(recorded, (atom, kind) => cleanAtom(atom, kind, known));
  const method = maskText(request.method, known) === request.method ? request.method : "GET";
  const name = request.name === null ? null : withAnySegments(request.name, isPrivate);
  const body = request.body === null ? null : cleanBody(request.body, known);
  const landsOn = cleanLanding(request, known, isPrivate);
  const isHarmless = (proof: Proof): boolean => isHarmlessProof(proof, isPrivate);
  const proofs = request.proofs.every(isHarmless) ? request.proofs : request.proofs.filter(isHarmless);
  const extractions = mapEach(request.extractions, (extraction) => ({
    name: extraction.name,
    from: cleanExtractor(extraction.from, known),
  }));
  const hint = hintOpaqueBody(request.body, body);
  const hints = hint === null ? request.hints : [...request.hints, hint];
  const changes = { method, name, body, landsOn, proofs, extractions, hints };
  return withoutPrivateQuery(withChanges(request, changes), known, isPrivate);
}

/** Returns a request without the query of its landing, if that contains something private. */
function withoutPrivateQuery(
  request: CapturedRequest,
  known: KnownSecrets,
  isPrivate: (segment: string) => boolean,
): CapturedRequest {
  const { landingQuery, ...rest } = request;
  if (landingQuery === undefined) return request;
  const isKept =
    maskText(landingQuery, known) === landingQuery && !landingQuery.split(/[=&/]/).some(isPrivate);
  return isKept ? request : rest;
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
  if (proof.kind === "no field") return !isPrivate(proof.name);
  if (proof.kind !== "session") return true;
  return ![proof.cookie, ...new URL(proof.url).pathname.split("/")].some(isPrivate);
}

/** Masks the name of an atom. A segment is named after the one before it, and its name is never sent. */
function cleanAtom(atom: Atom, kind: AtomPlace["kind"], known: KnownSecrets): Atom {
  const name = maskText(atom.name, known);
  if (name === atom.name) return atom;
  return kind === "path" ? { ...atom, name } : { ...atom, name, written: null };
}

/** Masks what a body has besides its atoms: keys, file names, a boundary, bytes. */
function cleanBody(body: CapturedBody, known: KnownSecrets): CapturedBody {
  switch (body.kind) {
    case "json": {
      const root = cleanKeys(body.root, known);
      const text = knownJson(root);
      return { ...body, root, written: isSameJson(text, body.written, known) ? body.written : (text ?? "") };
    }
    case "multipart": {
      const boundary = known.find(body.boundary).length > 0 ? "----bearhug" : body.boundary;
      return { ...body, boundary, parts: body.parts.map((part) => cleanPart(part, known)) };
    }
    case "form":
    case "text":
      return body;
    case "bytes":
      return withChanges(body, { base64: cleanBytes(body.base64, known) });
  }
}

function cleanPart(part: MultipartPart, known: KnownSecrets): MultipartPart {
  const { fileName, contentType } = part;
  return {
    ...part,
    fileName: fileName === null ? null : maskText(fileName, known),
    contentType: contentType === null ? null : maskText(contentType, known),
  };
}

function cleanKeys(shape: JsonShape, known: KnownSecrets): JsonShape {
  switch (shape.kind) {
    case "literal":
    case "string":
    case "number":
      return shape;
    case "list":
      return { ...shape, items: shape.items.map((item) => cleanKeys(item, known)) };
    case "object": {
      const names = new UniqueNames({ separator: "-" });
      return {
        ...shape,
        fields: shape.fields.map(
          ([key, value]) => [names.take(maskText(key, known)), cleanKeys(value, known)] as const,
        ),
      };
    }
  }
}

/** Returns true if a recorded text has the same content as the shape. A key that occurs twice loses its first value. */
function isSameJson(text: string | null, written: string, known: KnownSecrets): boolean {
  if (text === null || maskText(written, known) !== written) return false;
  const recorded = tryJson(text);
  return recorded !== undefined && JSON.stringify(recorded) === JSON.stringify(tryJson(written));
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

/**
 * Removes secrets from the texts of a model: names of steps and extractions, hints, notes, omitted addresses.
 * `loginNames`, in lower case, are not secret, but no page is named after the recorded user.
 */
export function cleanTexts(
  model: CaptureModel,
  known: KnownSecrets,
  loginNames: ReadonlySet<string>,
): CaptureModel {
  const clean = (text: string): string => maskText(text, known);
  const withHints = mapRequests(model, (request) =>
    request.hints.length === 0 ? request : { ...request, hints: request.hints.map(clean) },
  );
  return renameExtractions(
    {
      ...withHints,
      steps: cleanStepNames(withHints.steps, (name) => hideWords(clean(name), loginNames)),
      omissions: model.omissions.map((omission) => cleanOmission(omission, clean)),
      findings: model.findings.map(({ path, problem }) => ({ path: clean(path), problem: clean(problem) })),
      notes: model.notes.map(clean),
      variables: model.variables.map((variable) => ({
        ...variable,
        description: clean(variable.description),
      })),
      tables: model.tables.map((table) => ({ ...table, rows: table.rows.map((row) => row.map(clean)) })),
    },
    clean,
  );
}

/** Keeps names unique after masking has removed what made them differ. */
function cleanStepNames(steps: readonly CapturedStep[], clean: (text: string) => string): CapturedStep[] {
  const cleaned = steps.map((step) => ({ step, name: clean(step.name) }));
  const kept = cleaned.filter(({ step, name }) => name === step.name);
  const names = new UniqueNames({ separator: " ", taken: kept.map(({ name }) => name) });
  return cleaned.map(({ step, name }) => (name === step.name ? step : { ...step, name: names.take(name) }));
}

/** Masks words of a step's name: the segments of its path, or the words of its title. */
function hideWords(name: string, hidden: ReadonlySet<string>): string {
  return name.replace(/[^\s/]+/g, (word) => (hidden.has(word.toLowerCase()) ? masked : word));
}

function cleanOmission(omission: Omission, clean: (text: string) => string): Omission {
  return {
    ...omission,
    method: clean(omission.method),
    url: clean(omission.url),
    host: clean(omission.host),
  };
}

/** Renames extractions whose names reveal a secret, wherever they are used. */
function renameExtractions(model: CaptureModel, clean: (text: string) => string): CaptureModel {
  const names = requestsOf(model).flatMap(({ extractions }) => extractions.map(({ name }) => name));
  const unique = new UniqueNames({ taken: names });
  const revealing = names.filter((name) => clean(name) !== name);
  const renamed = new Map(revealing.map((name) => [name, unique.take("extracted")] as const));
  if (renamed.size === 0) return model;
  const rename = (part: ValuePart): ValuePart =>
    part.kind === "extracted" ? { ...part, name: renamed.get(part.name) ?? part.name } : part;
  const changed = mapAtoms(model, ({ value }) => value.map(rename));
  return mapRequests(changed, (request): CapturedRequest => ({
    ...request,
    extractions: request.extractions.map(({ name, from }) => ({ name: renamed.get(name) ?? name, from })),
  }));
}
