import { isIP } from "node:net";

import type { ValidatedDns } from "@bearhug/plan/http-options/dns";

/** One of a host's addresses. */
export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
  /** Set if it differs from the requested port. */
  readonly port?: number;
}

/**
 * Returns the addresses that a connection may try, in order: first the preferred family, rotated to begin
 * with the `turn`-th address, then the others, in case all of these refuse.
 */
export function inOrder(
  addresses: readonly HostAddress[],
  policy: ValidatedDns["policy"],
  turn: number,
): readonly HostAddress[] {
  if (addresses.length < 2 && policy === "any") return addresses;
  const [family, isOnly] = families[policy];
  if (family === null) return rotate(addresses, turn);
  const preferred = addresses.filter((address) => address.family === family);
  if (isOnly) return rotate(preferred, turn);
  if (preferred.length === 0) return rotate(addresses, turn);
  return [...rotate(preferred, turn), ...addresses.filter((address) => address.family !== family)];
}

/** The preferred family; `isOnly`: no other family is tried. */
const families: Readonly<Record<ValidatedDns["policy"], readonly [family: 4 | 6 | null, isOnly: boolean]>> = {
  preferIPv4: [4, false],
  preferIPv6: [6, false],
  onlyIPv4: [4, true],
  onlyIPv6: [6, true],
  any: [null, false],
};

function rotate<T>(list: readonly T[], turn: number): readonly T[] {
  const start = list.length === 0 ? 0 : turn % list.length;
  return start === 0 ? list : [...list.slice(start), ...list.slice(0, start)];
}

/** The local addresses that connections use as their source, in turn. */
export class LocalAddresses {
  readonly #byFamily: Readonly<Record<4 | 6, readonly string[]>>;
  readonly #turns: Record<4 | 6, number> = { 4: 0, 6: 0 };
  /** False if the system picks the source address. */
  readonly areChosen: boolean;

  constructor(addresses: readonly string[]) {
    this.areChosen = addresses.length > 0;
    this.#byFamily = {
      4: addresses.filter((address) => isIP(address) === 4),
      6: addresses.filter((address) => isIP(address) === 6),
    };
  }

  /** Returns the family's next address; null if it has none, so that connections to it are not possible. */
  next(family: 4 | 6): string | null {
    const addresses = this.#byFamily[family];
    const turn = this.#turns[family]++;
    return addresses[turn % addresses.length] ?? null;
  }
}
