import type { LoadGauges } from "../account.ts";

type OnSecondSum = (second: number, gauges: LoadGauges) => void;

/** The gauges of one machine, as far as it has reported them. */
interface PartGauges {
  /** The second being reported. */
  second: number;
  /** The counts in that second. */
  counted: LoadGauges[];
  /** The last count before that second. */
  last: LoadGauges;
  hasEnded: boolean;
}

/** The sums of one second, over the machines that have reported it completely. */
interface SecondSums {
  readonly sums: LoadGauges[];
  /** The sum of the last counts of these machines. */
  last: LoadGauges;
  parts: number;
}

const none: LoadGauges = { vus: 0, vusMade: 0, connectionsOpen: 0 };

/**
 * Adds up the virtual users and connections of several machines, second by second. Machines may report a
 * second in any order. Keeps only the sums of seconds that some machine has not reported, so its size does
 * not depend on the number of machines.
 */
export class MergedGauges {
  readonly #parts: readonly PartGauges[];
  readonly #onSecond: OnSecondSum;
  /** Seconds that some machine has not reported completely. */
  readonly #open: SecondSums[] = [];
  #firstOpen = 0;

  /** @param onSecond receives the sums of each second in order, once every part has reported it completely */
  constructor(parts: number, onSecond: OnSecondSum) {
    this.#onSecond = onSecond;
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

  /** Marks the seconds before this one as complete for a part. */
  reach(part: number, second: number): void {
    const progress = this.#parts[part];
    if (progress === undefined) return;
    for (; progress.second < second; progress.second++) {
      progress.last = progress.counted.at(-1) ?? progress.last;
      addTo(this.#at(progress.second), progress.counted, progress.last);
      progress.counted = [];
    }
    this.#close();
  }

  /** Marks a part as complete: from now on it has no virtual users. */
  end(part: number): void {
    const progress = this.#parts[part];
    if (progress === undefined || progress.hasEnded) return;
    this.reach(part, progress.second + 1);
    progress.hasEnded = true;
    progress.last = { ...none, vusMade: progress.last.vusMade };
    for (const sums of this.#open.slice(progress.second - this.#firstOpen)) addTo(sums, [], progress.last);
    this.#close();
  }

  /** The sum of all parts' latest counts. */
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
      for (const sum of first.sums) this.#onSecond(this.#firstOpen, sum);
      this.#open.shift();
      this.#firstOpen++;
    }
  }
}

/**
 * Adds a machine's counts of a second. Machines count at slightly different moments: their first counts of a
 * second are added up, then their second ones. A machine with fewer counts, or none, adds its last one
 * instead.
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
