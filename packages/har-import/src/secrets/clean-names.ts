import type {
  CapturedBody,
  CapturedRequest,
  CaptureModel,
  JsonShape,
  MultipartPart,
} from "../capture-model.ts";
import { mapRequests } from "../request/map-atoms.ts";
import { type Atom, knownText } from "../value.ts";
import { cleanExtractor } from "./clean-extractor.ts";
import { findSecrets } from "./find-secrets.ts";
import type { KnownSecrets } from "./known-secrets.ts";
import { maskText } from "./mask-text.ts";
import { mergeSpans, replaceSpans, type Span } from "./span.ts";

/** Names, keys and file names of a model without secrets. They can be no variables, so they are masked. */
export function cleanNames(model: CaptureModel, known: KnownSecrets): CaptureModel {
  const cleanAll = (atoms: readonly Atom[]): Atom[] => atoms.map((atom) => cleanAtom(atom, known));
  const cleanRequest = (request: CapturedRequest): CapturedRequest => ({
    ...request,
    method: maskText(request.method, known) === request.method ? request.method : "GET",
    // The name of a segment is the one before it, and never sent.
    path: request.path.map((atom) => ({ ...atom, name: maskText(atom.name, known) })),
    query: cleanAll(request.query),
    headers: cleanAll(request.headers),
    body: request.body === null ? null : cleanBody(request.body, known),
    landsOn:
      request.landsOn !== null && maskText(request.landsOn, known) === request.landsOn
        ? request.landsOn
        : null,
    extractions: request.extractions.map(({ name, from }) => ({ name, from: cleanExtractor(from, known) })),
  });
  return {
    ...model,
    cookies: model.cookies.map((cookie) => ({ ...cookie, name: maskText(cookie.name, known) })),
    ...mapRequests(model, cleanRequest),
  };
}

function cleanAtom(atom: Atom, known: KnownSecrets): Atom {
  const name = maskText(atom.name, known);
  return name === atom.name ? atom : { name, value: atom.value, written: null };
}

function cleanBody(body: CapturedBody, known: KnownSecrets): CapturedBody {
  switch (body.kind) {
    case "json": {
      const root = cleanShape(body.root, known);
      const text = toJson(root);
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
      const taken = new Set<string>();
      return {
        ...shape,
        fields: shape.fields.map(([key, value]) => {
          let name = maskText(key, known);
          for (let count = 2; taken.has(name); count++) name = `${maskText(key, known)}-${count}`;
          taken.add(name);
          return [name, cleanShape(value, known)] as const;
        }),
      };
    }
  }
}

/** The JSON of a shape of which every value is known; null otherwise. */
function toJson(shape: JsonShape): string | null {
  switch (shape.kind) {
    case "literal":
      return String(shape.value);
    case "string": {
      const text = knownText(shape.atom.value);
      return text === null ? null : JSON.stringify(text);
    }
    case "number":
      return knownText(shape.atom.value);
    case "list": {
      const items = shape.items.map(toJson);
      return items.includes(null) ? null : `[${items.join(",")}]`;
    }
    case "object": {
      const fields = shape.fields.map(([key, value]) => [JSON.stringify(key), toJson(value)] as const);
      return fields.some(([, value]) => value === null)
        ? null
        : `{${fields.map((field) => field.join(":")).join(",")}}`;
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
