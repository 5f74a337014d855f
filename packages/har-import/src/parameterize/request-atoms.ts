import type { CapturedRequest, CaptureModel } from "../capture-model.ts";
import { type AtomPlace, mapAtoms } from "../request/map-atoms.ts";
import type { Atom, Value } from "../value.ts";

/** An atom of a request, by its number in it. */
export interface RequestAtom {
  readonly atom: Atom;
  readonly kind: AtomPlace["kind"];
  readonly number: number;
}

/** The atoms of each request, in the order of sending. */
export function atomsByRequest(model: CaptureModel): Map<CapturedRequest, RequestAtom[]> {
  const atoms = new Map<CapturedRequest, RequestAtom[]>();
  mapAtoms(model, (atom, { kind, request }) => {
    if (request === null) return atom.value;
    const others = atoms.get(request) ?? [];
    others.push({ atom, kind, number: others.length });
    atoms.set(request, others);
    return atom.value;
  });
  return atoms;
}

/** A model with other values; null leaves one as it is. */
export function mapRequestAtoms(
  model: CaptureModel,
  change: (request: CapturedRequest, number: number) => Value | null,
): CaptureModel {
  const counts = new Map<CapturedRequest, number>();
  return mapAtoms(model, ({ value }, { request }) => {
    if (request === null) return value;
    const number = counts.get(request) ?? 0;
    counts.set(request, number + 1);
    return change(request, number) ?? value;
  });
}
