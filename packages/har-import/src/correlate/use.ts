import type { AtomPlace } from "../request/map-atoms.ts";
import type { PlacedRequest } from "./send-order.ts";

/** Where a request sends a value. */
export interface Use {
  readonly by: PlacedRequest;
  readonly kind: AtomPlace["kind"] | "address";
  /** Of the atom that it is in. */
  readonly name: string;
  /** Number of the atom in the order in which `mapAtoms` asks. */
  readonly atom: number;
  /** Which of the atom's characters. */
  readonly start: number;
  readonly end: number;
  /** Of a whole address: the atoms that it says anew, and how long they are. */
  readonly covered?: readonly { readonly atom: number; readonly length: number }[];
}

/** Uses by the value that is sent, each list in the order of sending. */
export type Uses = ReadonlyMap<string, readonly Use[]>;
