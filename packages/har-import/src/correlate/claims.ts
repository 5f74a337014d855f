import type { Use } from "./use.ts";

/** Characters of atoms that are known to come from somewhere: what is within them is no matter any more. */
export class Claims {
  readonly #byAtom = new Map<number, Use[]>();

  add(uses: readonly Use[]): void {
    for (const use of uses) {
      if (use.covered === undefined) this.#add(use);
      for (const { atom, length } of use.covered ?? []) this.#add({ ...use, atom, start: 0, end: length });
    }
  }

  #add(use: Use): void {
    const others = this.#byAtom.get(use.atom);
    if (others === undefined) this.#byAtom.set(use.atom, [use]);
    else others.push(use);
  }

  isFree({ atom, start, end }: Use): boolean {
    return (this.#byAtom.get(atom) ?? []).every((other) => end <= other.start || start >= other.end);
  }
}
