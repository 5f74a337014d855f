import type { DrivenVu, ScenarioShare } from "./scenario-share.ts";
import { loopVu } from "./closed-model.ts";
import type { TurnKeeper } from "./turn-keeper.ts";

/** The parts that all VUs of a ramp share. */
export interface RampOptions {
  readonly share: ScenarioShare;
  readonly turns: TurnKeeper;
  readonly nextIteration: () => number;
  /** False if feeds have no row for the next iteration. */
  readonly hasRow: () => boolean;
  /** How long an iteration may go on after its VU has left. */
  readonly gracefulRampDownMs: number;
}

/**
 * One VU slot of a ramp. After `join`, its VU iterates until `leave`; the running iteration may then end
 * within the graceful ramp-down. If the slot is joined again before that, the same VU goes on. Later, or if
 * the iteration was interrupted, the slot gets a new VU.
 */
export class RampedVu {
  readonly #number: number;
  readonly #parts: RampOptions;
  #hasJoined = false;
  #loop: Promise<void> | null = null;
  #cancelRetirement: () => void = () => undefined;
  #retire: (rampDownMs: number | null) => void = () => undefined;
  #wake: () => void = () => undefined;

  constructor(number: number, parts: RampOptions) {
    this.#number = number;
    this.#parts = parts;
  }

  join(): void {
    this.#hasJoined = true;
    this.#cancelRetirement();
    this.#loop ??= this.#run();
  }

  leave(): void {
    const { share, gracefulRampDownMs } = this.#parts;
    this.#hasJoined = false;
    if (this.#loop === null) return;
    this.#wake();
    this.#cancelRetirement = share.clock.at(share.clock.now() + gracefulRampDownMs, () =>
      this.#retire(gracefulRampDownMs),
    );
  }

  /** Resolves when no iteration runs. */
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
      this.#wake = () => vu.wake();
      await this.#iterate(vu, () => isRetired);
      this.#retire(null);
    }
    this.#cancelRetirement();
    this.#loop = null;
  }

  /** Runs iterations until the VU leaves or is retired. */
  async #iterate(vu: DrivenVu, isRetired: () => boolean): Promise<void> {
    const { turns, nextIteration } = this.#parts;
    const hasNext = (): boolean => this.#mayStart() && !isRetired();
    const next = (): number | null => (hasNext() ? nextIteration() : null);
    while (hasNext()) await loopVu(vu, turns, { hasNext, next });
  }

  #mayStart(): boolean {
    return this.#hasJoined && !this.#parts.share.isOver() && this.#parts.hasRow();
  }
}
