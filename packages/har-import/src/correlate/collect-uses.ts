import type { CaptureModel } from "../capture-model.ts";
import { type AtomPlace, mapAtoms } from "../request/map-atoms.ts";
import { type Atom, knownText } from "../value.ts";
import { isDistinctive } from "./distinctive.ts";
import type { PlacedRequest } from "./send-order.ts";
import { isStaticFile } from "./static-file.ts";
import type { Use, Uses } from "./use.ts";

/** What a browser or a library says about itself. */
const neverHandedOut = /^(accept|accept-.*|content-type|x-requested-with|range|authorization-type)$/i;
/** What may be a value of its own within another one: a narrow word, and one as base64 and paths have it. */
const words = [/[\w-]{16,}/g, /[\w+/=.~-]{16,}/g] as const;
const maxWordsPerAtom = 100;

/** Everything that requests send and an answer may have handed out. */
export function collectUses(model: CaptureModel, placed: readonly PlacedRequest[]): Uses {
  const byRequest = new Map(placed.map((one) => [one.request, one] as const));
  const uses = new Map<string, Use[]>();
  const parts = new KnownParts();
  let atoms = 0;
  mapAtoms(model, (atom, place) => {
    const number = atoms++;
    const by = place.request === null ? undefined : byRequest.get(place.request);
    const text = knownText(atom.value);
    if (by === undefined || text === null || !canBeHandedOut(atom, place)) return atom.value;
    for (const [start, end] of parts.of(text, place.kind)) {
      const value = text.slice(start, end);
      const use = { by, kind: place.kind, name: atom.name, atom: number, start, end };
      const others = uses.get(value);
      if (others === undefined) uses.set(value, [use]);
      else others.push(use);
    }
    return atom.value;
  });
  return uses;
}

function canBeHandedOut(atom: Atom, { kind, request }: AtomPlace): boolean {
  if (request === null) return false;
  if (kind === "header") return !neverHandedOut.test(atom.name);
  return (kind !== "path" && kind !== "query") || !isStaticFile(request);
}

type Part = readonly [start: number, end: number];

/** Longer values hardly come twice. */
const maxRemembered = 500;

/** Takes values apart, each once: most headers are the same in every request. */
class KnownParts {
  readonly #ofHeaders = new Map<string, readonly Part[]>();
  readonly #ofOthers = new Map<string, readonly Part[]>();

  of(text: string, kind: AtomPlace["kind"]): readonly Part[] {
    if (text.length > maxRemembered) return partsOf(text, kind);
    const known = kind === "header" ? this.#ofHeaders : this.#ofOthers;
    const parts = known.get(text) ?? partsOf(text, kind);
    known.set(text, parts);
    return parts;
  }
}

/** The value itself, what stands behind a header's scheme, and words within that are no chance. */
function partsOf(text: string, kind: AtomPlace["kind"]): Part[] {
  if (text === "") return [];
  const parts = new Map<string, Part>([[`0 ${text.length}`, [0, text.length]]]);
  const add = (start: number, end: number): void => {
    parts.set(`${start} ${end}`, [start, end]);
  };
  const schemeLength = kind === "header" ? lengthOfScheme(text) : 0;
  if (schemeLength > 0) add(schemeLength, text.length);
  for (const pattern of words) {
    let count = 0;
    for (const { index, 0: word } of text.matchAll(pattern)) {
      if (++count > maxWordsPerAtom) break;
      if (isDistinctive(word)) add(index, index + word.length);
    }
  }
  return [...parts.values()];
}

/** `Bearer abc`, `token abc`: the scheme is the client's own. 0 where there is none. */
function lengthOfScheme(text: string): number {
  const blank = text.indexOf(" ");
  return blank > 0 && blank <= 30 && !text.includes(" ", blank + 1) ? blank + 1 : 0;
}
