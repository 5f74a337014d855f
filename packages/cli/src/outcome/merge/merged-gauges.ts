import type { LoadGauges } from "../account.ts";

interface PartGauges {
  latest: LoadGauges;
  lastSecond: number;
  hasEnded: boolean;
  /** By second, those that were not added up yet. */
  readonly waiting: Map<number, LoadGauges[]>;
}

const none: LoadGauges = { vus: 0, vusMade: 0, connectionsOpen: 0 };

/** Adds up the virtual users and connections of several machines, second by second. */
export class MergedGauges {
  readonly #parts: readonly PartGauges[];

  constructor(parts: number) {
    this.#parts = Array.from({ length: parts }, () => ({
      ...{ latest: none, lastSecond: -1, hasEnded: false },
      waiting: new Map<number, LoadGauges[]>(),
    }));
  }

  add(part: number, second: number, gauges: LoadGauges): void {
    const of = this.#parts[part];
    if (of === undefined) return;
    of.lastSecond = Math.max(of.lastSecond, second);
    const known = of.waiting.get(second);
    if (known === undefined) of.waiting.set(second, [gauges]);
    else known.push(gauges);
  }

  /** The part has told everything. */
  end(part: number): void {
    const of = this.#parts[part];
    if (of !== undefined) of.hasEnded = true;
  }

  /** Tells the sums of all seconds before this one, of which every part has told. */
  drain(beforeSecond: number, tell: (second: number, gauges: LoadGauges) => void): void {
    const seconds = new Set(this.#parts.flatMap(({ waiting }) => [...waiting.keys()]));
    for (const second of [...seconds].sort((left, right) => left - right)) {
      if (second >= beforeSecond) return;
      const samples = Math.max(...this.#parts.map(({ waiting }) => waiting.get(second)?.length ?? 0));
      for (let sample = 0; sample < samples; sample++) tell(second, this.#sumAt(second, sample));
      for (const part of this.#parts) part.waiting.delete(second);
    }
  }

  /** Machines count at slightly different moments: their first counts of a second are added up, then their second ones. */
  #sumAt(second: number, sample: number): LoadGauges {
    return this.#parts.reduce<LoadGauges>((sum, part) => {
      const counted = part.waiting.get(second);
      part.latest = counted?.[sample] ?? (hasLeft(part, second) ? left(part.latest) : part.latest);
      const { vus, vusMade, connectionsOpen } = part.latest;
      return {
        vus: sum.vus + vus,
        vusMade: sum.vusMade + vusMade,
        connectionsOpen: sum.connectionsOpen + connectionsOpen,
      };
    }, none);
  }
}

function hasLeft({ hasEnded, lastSecond }: PartGauges, second: number): boolean {
  return hasEnded && lastSecond < second;
}

function left({ vusMade }: LoadGauges): LoadGauges {
  return { vus: 0, vusMade, connectionsOpen: 0 };
}
