import { isIP } from "node:net";

/** The addresses of this machine that connections are to come from, in turn. */
export class LocalAddresses {
  readonly #byFamily: Readonly<Record<4 | 6, readonly string[]>>;
  readonly #turns: Record<4 | 6, number> = { 4: 0, 6: 0 };
  /** Whether there are any: else the system picks. */
  readonly areChosen: boolean;

  constructor(addresses: readonly string[]) {
    this.areChosen = addresses.length > 0;
    this.#byFamily = {
      4: addresses.filter((address) => isIP(address) === 4),
      6: addresses.filter((address) => isIP(address) === 6),
    };
  }

  /** The next of a family; null where there is none, and connections to that family are not possible. */
  next(family: 4 | 6): string | null {
    const addresses = this.#byFamily[family];
    const turn = this.#turns[family]++;
    return addresses[turn % addresses.length] ?? null;
  }
}
