import { isSecretName } from "@bearhug/text/secrets/secret-names";
import type { CapturedBody, CapturedRequest, CaptureModel } from "../capture-model.ts";
import { knownJson } from "../json-shape.ts";
import { type AtomPlace, mapAtoms, mapRequests } from "../map-atoms.ts";
import type { FoundSecret } from "../secrets/find-secrets.ts";
import { type Atom, knownText, textValue } from "../value.ts";

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
export function isOpaque(text: string, found: readonly FoundSecret[]): boolean {
  const random = found.filter(isByLooks);
  if (random.length < leastInText || random.length < found.length) return false;
  const covered = random.reduce((sum, { start, end }) => sum + end - start, 0);
  return !/\s/.test(text) && covered >= text.length * leastShare;
}

/** Joins each body of nothing but random values into one text, and so into one variable. */
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
    // A password belongs to a person, who must be able to supply it.
    const count = found.some((one) => one.kind === "password") ? -Infinity : found.filter(isByLooks).length;
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

/** Returns true if a body has enough in it to be opaque. False for most bodies. */
function mayBeOpaque(body: CapturedBody | null): boolean {
  if (body?.kind === "json") return body.written.length >= leastInBody * leastRandomCharacters;
  return body?.kind === "form" && body.fields.length >= leastInBody;
}

/** Returns a body as it was sent; null if a part of it is known only when the test runs. */
function textOf(body: CapturedBody): string | null {
  if (body.kind === "json") return knownJson(body.root) === null ? null : body.written;
  if (body.kind !== "form") return null;
  const written = body.fields.map((field) => field.written);
  return written.includes(null) ? null : written.join("&");
}
