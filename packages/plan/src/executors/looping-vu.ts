import type { DrivenVu } from "./scenario-share.ts";
import type { TurnKeeper } from "./turn-keeper.ts";

/** The iterations that a VU runs one after the other. */
export interface LoopedIterations {
  /** False when no iteration is left: the VU then need not rest. */
  hasNext(): boolean;
  /** The number of the next one, or null. */
  next(): number | null;
}

/** Runs one iteration after the other until none is left. */
export function loopVu(vu: DrivenVu, turns: TurnKeeper, iterations: LoopedIterations): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = (): void => {
      try {
        const number = iterations.next();
        if (number === null) resolve();
        else vu.iterate({ number, intendedMs: null, offeredMs: null }, onIterationEnded);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    // One function for all iterations, and no promise between them: there are tens of thousands a second.
    const onIterationEnded = (): void => {
      const pause = (iterations.hasNext() ? vu.rest() : null) ?? turns.due();
      if (pause === null) start();
      else void pause.then(start);
    };
    start();
  });
}
