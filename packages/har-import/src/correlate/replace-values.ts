import type { CaptureModel } from "../capture-model.ts";
import { Lists } from "../lists.ts";
import { mapAtoms } from "../map-atoms.ts";
import { knownText, textValue, type Value, type ValuePart } from "../value.ts";

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
