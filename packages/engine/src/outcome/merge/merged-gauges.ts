import type { LoadGauges } from "../account.ts";

type TellGauges = (second: number, gauges: LoadGauges) => void;

/** One machine, as far as it has told. */
interface PartGauges {
  /** The second that it tells of now. */
  second: number;
  /** Its counts in that second. */
  counted: LoadGauges[];
  /** Its last count before that second. */
  last: LoadGauges;
  hasEnded: boolean;
}

/** The sums of one second, over the machines that have told all of it. */
interface SecondSums {
  readonly sums: LoadGauges[];
  /** The sum of the last counts of these machines. */
  last: LoadGauges;
  parts: number;
}

const none: LoadGauges = { vus: 0, vusMade: 0, connectionsOpen: 0 };

/**
 * Adds up the virtual users and connections of several machines, second by second, whichever machine tells of a second first.
 * It keeps only sums of the seconds that one of them has not reported: their size does not depend on the number of machines.
 */
export class MergedGauges {
  readonly #parts: readonly PartGauges[];
  readonly #tell: TellGauges;
  /** Seconds that some machine has not told all of. */
  readonly #open: SecondSums[] = [];
  #firstOpen = 0;

  /** @param tell is given the sums of each second in turn, once every part has told all of it */
  constructor(parts: number, tell: TellGauges) {
    this.#tell = tell;
    this.#parts = Array.from({ length: parts }, () => ({
      second: 0,
      counted: [],
      last: none,
      hasEnded: false,
    }));
  }

  add(part: number, second: number, gauges: LoadGauges): void {
    this.reach(part, second);
    this.#parts[part]?.counted.push(gauges);
  }

  /** The part tells nothing more of the seconds before this one. */
  reach(part: number, second: number): void {
    const of = this.#parts[part];
    if (of === undefined) return;
    for (; of.second < second; of.second++) {
      of.last = of.counted.at(-1) ?? of.last;
      addTo(this.#at(of.second), of.counted, of.last);
      of.counted = [];
    }
    this.#close();
  }

  /** The part has told everything: from now on it has no virtual users left. */
  end(part: number): void {
    const of = this.#parts[part];
    if (of === undefined || of.hasEnded) return;
    this.reach(part, of.second + 1);
    of.hasEnded = true;
    of.last = { ...none, vusMade: of.last.vusMade };
    for (const sums of this.#open.slice(of.second - this.#firstOpen)) addTo(sums, [], of.last);
    this.#close();
  }

  /** The sum of the latest counts of all parts. */
  get latest(): LoadGauges {
    return this.#parts.reduce((sum, { counted, last }) => plus(sum, counted.at(-1) ?? last), none);
  }

  #at(second: number): SecondSums {
    const index = second - this.#firstOpen;
    const ended = this.#parts.filter(({ hasEnded }) => hasEnded).map(({ last }) => last);
    while (this.#open.length <= index)
      this.#open.push({ sums: [], last: ended.reduce(plus, none), parts: ended.length });
    return this.#open[index] ?? { sums: [], last: none, parts: 0 };
  }

  #close(): void {
    for (let [first] = this.#open; first?.parts === this.#parts.length; [first] = this.#open) {
      for (const sum of first.sums) this.#tell(this.#firstOpen, sum);
      this.#open.shift();
      this.#firstOpen++;
    }
  }
}

/**
 * Machines count at slightly different moments: their first counts of a second are added up, then their second ones. One
 * that counted less often, or not at all, still has what it had last.
 */
function addTo(second: SecondSums, counted: readonly LoadGauges[], last: LoadGauges): void {
  const { sums } = second;
  const samples = Math.max(sums.length, counted.length);
  for (let sample = 0; sample < samples; sample++)
    sums[sample] = plus(sums[sample] ?? second.last, counted[sample] ?? last);
  second.last = plus(second.last, last);
  second.parts++;
}

function plus(left: LoadGauges, right: LoadGauges): LoadGauges {
  return {
    vus: left.vus + right.vus,
    vusMade: left.vusMade + right.vusMade,
    connectionsOpen: left.connectionsOpen + right.connectionsOpen,
  };
}
