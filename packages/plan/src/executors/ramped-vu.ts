import type { DrivenVu, ScenarioShare } from "./scenario-share.ts";
import { loopVu } from "./looping-vu.ts";
import type { TurnKeeper } from "./turn-keeper.ts";

/** The parts that all VUs of a ramp share. */
export interface RampOptions {
  readonly share: ScenarioShare;
  readonly turns: TurnKeeper;
  readonly nextIteration: () => number;
  /** False when feeds have no row for the next iteration. */
  readonly hasRow: () => boolean;
  /** The time that an iteration may run on after its VU has left. */
  readonly gracefulRampDownMs: number;
}

/**
 * A place in a ramp. Whoever joins it iterates until it leaves; the running iteration may then end within the graceful
 * ramp-down. Joining again before that takes up the same VU; later, or after it was interrupted, comes a new one.
 */
export class RampedVu {
  readonly #number: number;
  readonly #parts: RampOptions;
  #isWanted = false;
  #loop: Promise<void> | null = null;
  #cancelRetirement: () => void = () => undefined;
  #retire: (rampDownMs: number | null) => void = () => undefined;
  #wake: () => void = () => undefined;

  constructor(number: number, parts: RampOptions) {
    this.#number = number;
    this.#parts = parts;
  }

  join(): void {
    this.#isWanted = true;
    this.#cancelRetirement();
    this.#loop ??= this.#run();
  }

  leave(): void {
    const { share, gracefulRampDownMs } = this.#parts;
    this.#isWanted = false;
    if (this.#loop === null) return;
    this.#wake();
    this.#cancelRetirement = share.clock.at(share.clock.now() + gracefulRampDownMs, () => {
      this.#retire(gracefulRampDownMs);
    });
  }

  /** Resolves when nothing runs. */
  async ended(): Promise<void> {
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (this.#mayStart()) {
      let isRetired = false;
      const vu = this.#parts.share.createVu(this.#number);
      this.#retire = (rampDownMs) => {
        isRetired = true;
        vu.retire(rampDownMs);
      };
      this.#wake = () => {
        vu.wake();
      };
      await this.#iterate(vu, () => isRetired);
      this.#retire(null);
    }
    this.#cancelRetirement();
    this.#loop = null;
  }

  /** Until it is to leave, or is made to. */
  async #iterate(vu: DrivenVu, isRetired: () => boolean): Promise<void> {
    const { turns, nextIteration } = this.#parts;
    const hasNext = (): boolean => this.#mayStart() && !isRetired();
    const next = (): number | null => (hasNext() ? nextIteration() : null);
    while (hasNext()) await loopVu(vu, turns, { hasNext, next });
  }

  #mayStart(): boolean {
    return this.#isWanted && !this.#parts.share.isOver && this.#parts.hasRow();
  }
}
