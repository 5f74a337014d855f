import type { MaskedText } from "@bearhug/text/masked-text";

import type { BundlePosition } from "./error-log.ts";

/** The fields by which results distinguish checks. */
export interface CheckPlace {
  readonly check: string;
  readonly scenario: string;
  /** Null outside of pages. */
  readonly page: string | null;
  /** Null outside of groups. */
  readonly group: string | null;
}

/** The first exception of a check. */
export interface FirstFault {
  readonly message: MaskedText;
  /** Time after the start of the load. */
  readonly firstAtMs: number;
  /** The place in the bundled test at which the check threw; null if unknown. */
  readonly position: BundlePosition | null;
}

/** A check whose function threw, and how often. */
export interface CheckFault extends CheckPlace, FirstFault {
  readonly count: number;
}

/**
 * Counts the evaluations of checks that threw. It has no more entries than there are series of checks,
 * whose number is limited.
 */
export class CheckFaultLog {
  readonly #faults = new Map<string, CheckFault>();

  /** Counts one evaluation. `describe` is called for the first one only, because reading a stack is slow. */
  add(place: CheckPlace, describe: () => FirstFault): void {
    const key = keyOf(place);
    const known = this.#faults.get(key) ?? { ...place, ...describe(), count: 0 };
    this.#faults.set(key, { ...known, count: known.count + 1 });
  }

  /** Adds a fault that another log drained; the earliest exception is kept. */
  merge(fault: CheckFault): void {
    const key = keyOf(fault);
    const known = this.#faults.get(key);
    const first = known === undefined || fault.firstAtMs < known.firstAtMs ? fault : known;
    this.#faults.set(key, { ...first, count: (known?.count ?? 0) + fault.count });
  }

  /** Returns the faults that were counted since the last drain. */
  drain(): CheckFault[] {
    const counted = [...this.#faults.values()].filter(({ count }) => count > 0);
    for (const fault of counted) this.#faults.set(keyOf(fault), { ...fault, count: 0 });
    return counted;
  }

  /** Returns the faults of one check; undefined if it never threw. */
  faultOf(place: CheckPlace): CheckFault | undefined {
    return this.#faults.get(keyOf(place));
  }
}

function keyOf({ check, scenario, page, group }: CheckPlace): string {
  return JSON.stringify([check, scenario, page, group]);
}
