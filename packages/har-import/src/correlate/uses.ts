import type { CaptureModel, CapturedRequest } from "../capture-model.ts";
import { type AtomPlace, mapAtoms, visitAtoms } from "../map-atoms.ts";
import { isDistinctive } from "../secrets/random-text.ts";
import { isStaticFile } from "../static-file.ts";
import { type Atom, knownText, textValue, type Value, type ValuePart } from "../value.ts";
import { Lists } from "../lists.ts";
import { addressesOf, replacedParts } from "./whole-address.ts";

/** A request with its position in the replay. */
export interface PlacedRequest {
  readonly request: CapturedRequest;
  /** Place in the order of sending, from 0. */
  readonly place: number;
  /** Number of its wave, counted through all steps. */
  readonly wave: number;
  /** The first wave whose requests can use its response: by then, a replay has waited for it. */
  readonly knownFrom: number;
}

/** Returns all requests in the order of sending. */
export function placeRequests({ steps }: CaptureModel): PlacedRequest[] {
  const placed: PlacedRequest[] = [];
  let wave = 0;
  for (const { waves } of steps) {
    const nextStep = wave + waves.length;
    for (const { requests } of waves) {
      for (const request of requests) {
        const knownFrom = request.outlasts ? nextStep : wave + 1;
        placed.push({ request, place: placed.length, wave, knownFrom });
      }
      wave++;
    }
  }
  return placed;
}

/** A place in a request that sends a value. */
export interface Use {
  readonly by: PlacedRequest;
  readonly kind: AtomPlace["kind"] | "address";
  /** The name of the atom that it is in. */
  readonly name: string;
  /** Number of the atom in the order in which `mapAtoms` visits them. */
  readonly atom: number;
  /** The range of the atom's characters. */
  readonly start: number;
  readonly end: number;
  /** For a whole address: the atoms that it replaces, and their lengths. */
  readonly covered?: readonly { readonly atom: number; readonly length: number }[];
}

/** Uses by the value that is sent, each list in the order of sending. */
export type Uses = ReadonlyMap<string, readonly Use[]>;

/** Headers that a browser or a library sets by itself. */
const clientHeaders = /^(accept|accept-.*|content-type|x-requested-with|range|authorization-type)$/i;
/**
 * Words that may be values inside a longer value: letters and digits, perhaps with the characters of base64
 * and paths.
 */
const words = [/[\w-]{16,}/g, /[\w+/=.~-]{16,}/g] as const;
const namedWord = /^[A-Za-z_][\w-]*=[\w-]{16,}$/;
const maxWordsPerAtom = 100;
/** The start of the parameters of a path's segment: `;jsessionid=` of `11;jsessionid=0A1B`. */
const segmentParameter = /;[A-Za-z][\w.-]*=/;

/** Collects the values that requests send and that a response may have supplied. */
export function collectUses(model: CaptureModel, placed: readonly PlacedRequest[]): Uses {
  const byRequest = new Map(placed.map((one) => [one.request, one] as const));
  const uses = new Map<string, Use[]>();
  const parts = new KnownParts();
  const add = (value: string, use: Use): void => {
    const others = uses.get(value);
    if (others === undefined) uses.set(value, [use]);
    else others.push(use);
  };
  let atoms = 0;
  let last: PlacedRequest | undefined;
  visitAtoms(model, (atom, place) => {
    const number = atoms++;
    const by = place.request === null ? undefined : byRequest.get(place.request);
    const text = knownText(atom.value);
    // The first atom of a request is a segment of its path.
    if (by !== undefined && by !== last) addAddress(by, number, add);
    last = by;
    if (by === undefined || text === null || !mayComeFromResponse(atom, place)) return;
    for (const [start, end] of parts.of(text, place.kind)) {
      add(text.slice(start, end), { by, kind: place.kind, name: atom.name, atom: number, start, end });
    }
  });
  return uses;
}

function addAddress(by: PlacedRequest, firstAtom: number, add: (value: string, use: Use) => void): void {
  const addresses = addressesOf(by.request);
  if (addresses.length === 0) return;
  const { path, query } = by.request;
  const covered = replacedParts(by.request).map((index) => ({
    atom: firstAtom + index,
    length: knownText([...path, ...query][index]?.value ?? [])?.length ?? 0,
  }));
  for (const address of addresses)
    add(address, { by, kind: "address", name: "", atom: firstAtom, start: 0, end: 0, covered });
}

function mayComeFromResponse(atom: Atom, { kind, request }: AtomPlace): boolean {
  if (request === null) return false;
  if (kind === "header") return !clientHeaders.test(atom.name);
  return (kind !== "path" && kind !== "query") || !isStaticFile(request);
}

type Part = readonly [start: number, end: number];

/** Longer values hardly ever repeat. */
const maxRemembered = 500;

/** Splits values into parts, each value once: most headers are the same in every request. */
class KnownParts {
  readonly #known = {
    header: new Map<string, readonly Part[]>(),
    path: new Map<string, readonly Part[]>(),
    other: new Map<string, readonly Part[]>(),
  };

  of(text: string, kind: AtomPlace["kind"]): readonly Part[] {
    if (text.length > maxRemembered) return partsOf(text, kind);
    const known = this.#known[kind === "header" || kind === "path" ? kind : "other"];
    const parts = known.get(text) ?? partsOf(text, kind);
    known.set(text, parts);
    return parts;
  }
}

/**
 * Returns the parts of a value that a response may have supplied: all of it, the part after a header's
 * scheme, the part before a segment's parameters or after its first word, and words that look random.
 */
function partsOf(text: string, kind: AtomPlace["kind"]): Part[] {
  if (text === "") return [];
  const parts = new Map<string, Part>([[`0 ${text.length}`, [0, text.length]]]);
  const add = (start: number, end: number): void => {
    parts.set(`${start} ${end}`, [start, end]);
  };
  const schemeLength = kind === "header" ? lengthOfScheme(text) : 0;
  if (schemeLength > 0) add(schemeLength, text.length);
  const parameterAt = kind === "path" ? text.search(segmentParameter) : 0;
  if (parameterAt > 0) add(0, parameterAt);
  if (kind === "path") for (const start of idStarts(text)) add(start, text.length);
  for (const pattern of words) {
    let count = 0;
    for (const { index, 0: word } of text.matchAll(pattern)) {
      if (++count > maxWordsPerAtom) break;
      // The name before a value is always the same: `jsessionid=…`.
      if (isDistinctive(word) && !namedWord.test(word)) add(index, index + word.length);
    }
  }
  return [...parts.values()];
}

/** The word before an id in one segment: `doc` of `/doc9fKx2a`. */
const wordBefore = /^[A-Za-z]{2,12}/;
const shortestId = 5;

/** Returns the places in a segment where an id may begin, after a word. */
function idStarts(text: string): number[] {
  const most = wordBefore.exec(text)?.[0].length ?? 0;
  const starts = Array.from({ length: Math.max(0, most - 1) }, (_none, index) => index + 2);
  return starts.filter((start) => text.length - start >= shortestId && /\d/.test(text.slice(start)));
}

/**
 * Returns the length of the scheme of `Bearer abc` or `token abc`, which is the client's own; 0 if there is
 * none.
 */
function lengthOfScheme(text: string): number {
  const blank = text.indexOf(" ");
  return blank > 0 && blank <= 30 && !text.includes(" ", blank + 1) ? blank + 1 : 0;
}

/** A part of a value that replaces some characters of an atom. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly part: ValuePart;
}

/** Replacements by the number of the atom, in the order in which `mapAtoms` visits them. */
export class Replacements {
  readonly #byAtom = new Lists<number, Replacement>();

  add(atom: number, replacement: Replacement): void {
    this.#byAtom.add(atom, replacement);
  }

  has(atom: number): boolean {
    return this.#byAtom.has(atom);
  }

  applyTo(model: CaptureModel): CaptureModel {
    let atoms = 0;
    return mapAtoms(model, ({ value }) => {
      const replacements = this.#byAtom.of(atoms++);
      const text = knownText(value);
      return replacements.length === 0 || text === null ? value : replace(text, replacements);
    });
  }
}

/** Replaces parts of a text. If replacements overlap, the longest counts: it is the most specific one. */
function replace(text: string, replacements: readonly Replacement[]): Value {
  const byLength = replacements.toSorted(
    (left, right) => right.end - right.start - (left.end - left.start) || left.start - right.start,
  );
  const kept: Replacement[] = [];
  for (const one of byLength) {
    if (kept.every(({ start, end }) => one.end <= start || one.start >= end)) kept.push(one);
  }
  const parts: ValuePart[] = [];
  let at = 0;
  for (const { start, end, part } of kept.toSorted((left, right) => left.start - right.start)) {
    parts.push(...textValue(text.slice(at, start)), part);
    at = end;
  }
  return [...parts, ...textValue(text.slice(at))];
}
