import { isSecretName } from "@bearhug/sdk/internal";
import type { CapturedBody, CapturedRequest, CaptureModel } from "../capture-model.ts";
import { knownJson } from "../json-shape.ts";
import { type AtomPlace, mapAtoms, mapRequests } from "../map-atoms.ts";
import type { FoundSecret } from "../secrets/find-secrets.ts";
import { type Atom, knownText, textValue } from "../value.ts";

/** So many random words in one text are one text that nobody reads. */
const leastInText = 4;
/** The least share of a text that they must be. */
const leastShare = 1 / 3;
/** The least number of characters of each. */
const leastRandomCharacters = 20;
/** So many random values in one body are what a program measured. */
const leastInBody = 20;

/** Returns true for a secret that no name tells: it only looks random. */
function isOfLooks({ kind, name }: FoundSecret): boolean {
  return kind === "secret" && !isSecretName(name);
}

/** Returns true for a text in which words are separated from each other by chance alone: encrypted or packed data. */
export function isOpaque(text: string, found: readonly FoundSecret[]): boolean {
  const random = found.filter(isOfLooks);
  if (random.length < leastInText || random.length < found.length) return false;
  const covered = random.reduce((sum, { start, end }) => sum + end - start, 0);
  return !/\s/.test(text) && covered >= text.length * leastShare;
}

/** A model in which a body of nothing but random values is one text, and so one variable. */
export function joinOpaqueBodies(
  model: CaptureModel,
  findSecrets: (text: string, atom: Atom, place: AtomPlace) => readonly FoundSecret[],
): CaptureModel {
  const counts = new Map<CapturedRequest, number>();
  mapAtoms(model, (atom, place) => {
    const { kind, request } = place;
    const text = kind === "json" || kind === "form" ? knownText(atom.value) : null;
    if (request === null || text === null || !mayBeOpaque(request.body)) return atom.value;
    const found = findSecrets(text, atom, place);
    // A password is somebody's, and a person must be able to supply it.
    const count = found.some((one) => one.kind === "password") ? -Infinity : found.filter(isOfLooks).length;
    if (count !== 0) counts.set(request, (counts.get(request) ?? 0) + count);
    return atom.value;
  });
  if (counts.size === 0) return model;
  const join = (request: CapturedRequest): CapturedRequest => {
    const isRandom = (counts.get(request) ?? 0) >= leastInBody;
    const text = isRandom && request.body !== null ? textOf(request.body) : null;
    if (text === null) return request;
    return { ...request, body: { kind: "text", text: { name: "", value: textValue(text), written: null } } };
  };
  return { ...model, ...mapRequests(model, join) };
}

/** Returns false for most bodies, which have too little in them. */
function mayBeOpaque(body: CapturedBody | null): boolean {
  if (body?.kind === "json") return body.written.length >= leastInBody * leastRandomCharacters;
  return body?.kind === "form" && body.fields.length >= leastInBody;
}

/** A body as it was sent; null where a part of it is known only when the test runs. */
function textOf(body: CapturedBody): string | null {
  if (body.kind === "json") return knownJson(body.root) === null ? null : body.written;
  if (body.kind !== "form") return null;
  const written = body.fields.map((field) => field.written);
  return written.includes(null) ? null : written.join("&");
}
