import type { ValidatedDns } from "@bearhug/sdk/internal";

/** One of a host's addresses. */
export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
  /** Where it is not the one that was asked for. */
  readonly port?: number;
}

/**
 * The addresses that a connection may try, in order: those of the family that is preferred begin with the `turn`-th,
 * the others are for when all of these refuse.
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

/** The family that is preferred, and whether no other will do. */
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
