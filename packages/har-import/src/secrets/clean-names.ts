import { mergeSpans, replaceSpans, type Span } from "@bearhug/sdk/internal";
import type {
  CapturedBody,
  CapturedRequest,
  CaptureModel,
  JsonShape,
  MultipartPart,
} from "../capture-model.ts";
import { knownJson } from "../request/json-shape.ts";
import { mapEach, mapRequests } from "../request/map-atoms.ts";
import { UniqueNames } from "../unique-names.ts";
import type { Atom } from "../value.ts";
import { cleanExtractor } from "./clean-extractor.ts";
import { findSecrets } from "./find-secrets.ts";
import type { KnownSecrets } from "./known-secrets.ts";
import { maskText } from "./mask-text.ts";
import { hintOpaqueBody } from "./opaque-body.ts";
import type { Variables } from "./variables.ts";

/** Names, keys and file names of a model without secrets. They can be no variables, so they are masked. */
export function cleanNames(model: CaptureModel, known: KnownSecrets, variables: Variables): CaptureModel {
  const cleanAll = (atoms: readonly Atom[]): readonly Atom[] =>
    mapEach(atoms, (atom) => cleanAtom(atom, known));
  const cleanRequest = (request: CapturedRequest): CapturedRequest => {
    const method = maskText(request.method, known) === request.method ? request.method : "GET";
    // The name of a segment is the one before it, and never sent.
    const path = mapEach(request.path, (atom) => {
      const name = maskText(atom.name, known);
      return name === atom.name ? atom : { ...atom, name };
    });
    const [query, headers] = [cleanAll(request.query), cleanAll(request.headers)];
    const body = request.body === null ? null : cleanBody(request.body, known);
    const landsOn = cleanLanding(request.landsOn, known, variables);
    const extractions = mapEach(request.extractions, ({ name, from }) => ({
      name,
      from: cleanExtractor(from, known),
    }));
    const clean = { method, path, query, headers, body, landsOn, extractions };
    const isSame =
      method === request.method &&
      path === request.path &&
      query === request.query &&
      headers === request.headers &&
      body === request.body &&
      landsOn === request.landsOn &&
      extractions === request.extractions;
    return isSame ? request : { ...request, ...clean };
  };
  return {
    ...model,
    cookies: model.cookies.map((cookie) => ({ ...cookie, name: maskText(cookie.name, known) })),
    ...mapRequests(model, (request) => withBodyHint(request, cleanRequest(request))),
  };
}

function withBodyHint(recorded: CapturedRequest, clean: CapturedRequest): CapturedRequest {
  const hint = hintOpaqueBody(recorded.body, clean.body);
  return hint === null ? clean : { ...clean, hints: [...clean.hints, hint] };
}

/** Nobody else is led to the page of the one who was recorded: `/users/janedoe`. */
function cleanLanding(path: string | null, known: KnownSecrets, variables: Variables): string | null {
  if (path === null || maskText(path, known) !== path) return null;
  return path.split("/").some((segment) => variables.standFor(segment)) ? null : path;
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

function cleanPart({ atom, fileName, contentType }: MultipartPart, known: KnownSecrets): MultipartPart {
  return {
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

/** Whether a recorded text says what the shape says, and nothing besides: of a key that is there twice, the first is lost. */
function isSameJson(text: string | null, written: string, known: KnownSecrets): boolean {
  if (text === null || maskText(written, known) !== written) return false;
  try {
    return JSON.stringify(JSON.parse(written)) === JSON.stringify(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Bytes in which what is secret is blanked, so that nothing after it moves. */
function cleanBytes(base64: string, known: KnownSecrets): string {
  const standard = base64
    .replace(/[\s=]+/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  const bytes = atob(standard);
  const spans = mergeSpans<Span>([...known.find(bytes), ...findSecrets(bytes, "", { mayBeRandom: true })]);
  const clean = replaceSpans(bytes, spans, ({ start, end }) => "*".repeat(end - start));
  return clean === bytes ? base64 : btoa(clean);
}
