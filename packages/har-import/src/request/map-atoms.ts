import type {
  CapturedBody,
  CapturedCookie,
  CapturedRequest,
  CaptureModel,
  JsonShape,
} from "../capture-model.ts";
import { type Atom, type Value, withValue } from "../value.ts";

/** Where an atom stands. */
export interface AtomPlace {
  readonly kind: "path" | "query" | "header" | "form" | "json" | "multipart" | "text" | "cookie";
  /** As it was before any of its atoms changed; null for the cookies that a visitor starts with. */
  readonly request: CapturedRequest | null;
}

/** Another value for an atom; the same one to leave it. */
export type ChangeAtom = (atom: Atom, place: AtomPlace) => Value;

/** A model with other values: every atom is asked about once, cookies first, then requests in the order of sending. */
export function mapAtoms(model: CaptureModel, change: ChangeAtom): CaptureModel {
  const cookies = model.cookies.map((cookie) => mapCookie(cookie, change));
  return { ...model, cookies, ...mapRequests(model, (request) => mapRequest(request, change)) };
}

/** The steps of a model with other requests. */
export function mapRequests(
  model: CaptureModel,
  change: (request: CapturedRequest) => CapturedRequest,
): Pick<CaptureModel, "steps"> {
  return {
    steps: model.steps.map((step) => ({
      ...step,
      waves: step.waves.map((wave) => ({ ...wave, requests: wave.requests.map(change) })),
    })),
  };
}

/** All requests of a model in the order of sending. */
export function requestsOf({ steps }: CaptureModel): CapturedRequest[] {
  return steps.flatMap(({ waves }) => waves.flatMap(({ requests }) => requests));
}

function mapCookie({ name, origin, value }: CapturedCookie, change: ChangeAtom): CapturedCookie {
  return { name, origin, value: change({ name, value, written: null }, { kind: "cookie", request: null }) };
}

function mapRequest(request: CapturedRequest, change: ChangeAtom): CapturedRequest {
  const mapAll = (atoms: readonly Atom[], kind: AtomPlace["kind"]): Atom[] =>
    atoms.map((atom) => withValue(atom, change(atom, { kind, request })));
  return {
    ...request,
    path: mapAll(request.path, "path"),
    query: mapAll(request.query, "query"),
    headers: mapAll(request.headers, "header"),
    body: request.body === null ? null : mapBody(request.body, request, change),
  };
}

function mapBody(body: CapturedBody, request: CapturedRequest, change: ChangeAtom): CapturedBody {
  const mapAtom = (atom: Atom, kind: AtomPlace["kind"]): Atom =>
    withValue(atom, change(atom, { kind, request }));
  switch (body.kind) {
    case "json":
      return { ...body, root: mapShape(body.root, (atom) => mapAtom(atom, "json")) };
    case "form":
      return { ...body, fields: body.fields.map((field) => mapAtom(field, "form")) };
    case "multipart":
      return {
        ...body,
        parts: body.parts.map((part) => ({ ...part, atom: mapAtom(part.atom, "multipart") })),
      };
    case "text":
      return { ...body, text: mapAtom(body.text, "text") };
    case "bytes":
      return body;
  }
}

function mapShape(shape: JsonShape, mapAtom: (atom: Atom) => Atom): JsonShape {
  switch (shape.kind) {
    case "literal":
      return shape;
    case "string":
    case "number":
      return { ...shape, atom: mapAtom(shape.atom) };
    case "list":
      return { ...shape, items: shape.items.map((item) => mapShape(item, mapAtom)) };
    case "object":
      return {
        ...shape,
        fields: shape.fields.map(([key, value]) => [key, mapShape(value, mapAtom)] as const),
      };
  }
}
