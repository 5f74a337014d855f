import type {
  CapturedBody,
  CapturedCookie,
  CapturedRequest,
  CapturedStep,
  CaptureModel,
  JsonShape,
  Referer,
} from "./capture-model.ts";
import { type Atom, type Value, withValue } from "./value.ts";

export interface AtomPlace {
  readonly kind: "path" | "query" | "header" | "form" | "json" | "multipart" | "text" | "cookie";
  /** The request before any of its atoms changed; null for the cookies that a VU starts with. */
  readonly request: CapturedRequest | null;
}

/**
 * Returns a model with other values: calls `change` once for each atom, cookies first, then requests in the
 * order of sending. It returns the new value, or the same one to leave it unchanged. Unchanged parts are not
 * copied: a large model is walked often, and seldom changed.
 */
export function mapAtoms(model: CaptureModel, change: (atom: Atom, place: AtomPlace) => Value): CaptureModel {
  const cookies = model.cookies.map(({ name, origin, value }): CapturedCookie => {
    return { name, origin, value: change({ name, value, written: null }, { kind: "cookie", request: null }) };
  });
  const mapValues = (request: CapturedRequest): CapturedRequest => {
    // Atoms of a kind share a place: a large model has millions of atoms.
    let place: AtomPlace = { kind: "path", request };
    return mapRequest(request, (atom, kind) => {
      if (place.kind !== kind) place = { kind, request };
      return withValue(atom, change(atom, place));
    });
  };
  return { ...mapRequests(model, mapValues), cookies };
}

/** Calls `visit` for each atom, in the order of `mapAtoms`. */
export function visitAtoms(model: CaptureModel, visit: (atom: Atom, place: AtomPlace) => void): void {
  mapAtoms(model, (atom, place) => {
    visit(atom, place);
    return atom.value;
  });
}

/** Returns a model with its requests changed. */
export function mapRequests(
  model: CaptureModel,
  change: (request: CapturedRequest) => CapturedRequest,
): CaptureModel {
  const steps = mapEach(model.steps, (step) =>
    withChanges(step, {
      waves: mapEach(step.waves, (wave) => withChanges(wave, { requests: mapEach(wave.requests, change) })),
    }),
  );
  return { ...model, steps };
}

/** Maps a list; returns the same list if no item changed. */
export function mapEach<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  let changed: Item[] | null = null;
  for (const [index, item] of items.entries()) {
    const other = change(item);
    if (other !== item) (changed ??= [...items])[index] = other;
  }
  return changed ?? items;
}

/** Returns an object with other properties; the same object if it has these already. */
export function withChanges<Whole extends object>(whole: Whole, changes: Partial<Whole>): Whole {
  for (const name in changes) if (changes[name] !== whole[name]) return { ...whole, ...changes };
  return whole;
}

/** Returns all requests of a model, in the order of sending. */
export function requestsOf({ steps }: CaptureModel): CapturedRequest[] {
  return steps.flatMap(requestsOfStep);
}

/** Returns the requests of a step, in the order of sending. */
export function requestsOfStep({ waves }: CapturedStep): CapturedRequest[] {
  return waves.flatMap(({ requests }) => requests);
}

/** Returns the atom to put in the place of another, or the same one. */
type MapAtom = (atom: Atom, kind: AtomPlace["kind"]) => Atom;

/** Maps the atoms of a request, in the order in which they are sent; returns the same request if none changed. */
export function mapRequest(request: CapturedRequest, mapAtom: MapAtom): CapturedRequest {
  const mapAll = (atoms: readonly Atom[], kind: AtomPlace["kind"]): readonly Atom[] =>
    mapEach(atoms, (atom) => mapAtom(atom, kind));
  return withChanges(request, {
    path: mapAll(request.path, "path"),
    query: mapAll(request.query, "query"),
    headers: mapAll(request.headers, "header"),
    body: request.body && mapBody(request.body, mapAtom),
    referer: request.referer && mapReferer(request.referer, mapAll),
  });
}

function mapReferer(
  referer: Referer,
  mapAll: (atoms: readonly Atom[], kind: "path" | "query") => readonly Atom[],
): Referer {
  return withChanges(referer, { path: mapAll(referer.path, "path"), query: mapAll(referer.query, "query") });
}

function mapBody(body: CapturedBody, mapAtom: MapAtom): CapturedBody {
  switch (body.kind) {
    case "json":
      return withChanges(body, { root: mapShape(body.root, (atom) => mapAtom(atom, "json")) });
    case "form":
      return withChanges(body, { fields: mapEach(body.fields, (field) => mapAtom(field, "form")) });
    case "multipart":
      return withChanges(body, {
        parts: mapEach(body.parts, (part) => withChanges(part, { atom: mapAtom(part.atom, "multipart") })),
      });
    case "text":
      return withChanges(body, { text: mapAtom(body.text, "text") });
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
      return withChanges(shape, { atom: mapAtom(shape.atom) });
    case "list":
      return withChanges(shape, { items: mapEach(shape.items, (item) => mapShape(item, mapAtom)) });
    case "object": {
      const fields = mapEach(shape.fields, (field) => {
        const [key, value] = field;
        const mapped = mapShape(value, mapAtom);
        return mapped === value ? field : ([key, mapped] as const);
      });
      return withChanges(shape, { fields });
    }
  }
}

/** Returns the atoms of a body, in the order in which they are sent. */
export function atomsOfBody(body: CapturedBody | null): Atom[] {
  const atoms: Atom[] = [];
  if (body !== null)
    mapBody(body, (atom) => {
      atoms.push(atom);
      return atom;
    });
  return atoms;
}
