import type { DrivenVu } from "./scenario-share.ts";
import type { TurnKeeper } from "./turn-keeper.ts";

/** The iterations that a VU runs one after the other. */
export interface LoopedIterations {
  /** False when no iteration is left: the VU then need not rest. */
  hasNext(): boolean;
  /** Returns the number of the next iteration, or null. */
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
    // There is one function for all iterations, and no promise between them: a worker may run tens
    // of thousands a second.
    const onIterationEnded = (): void => {
      const pause = (iterations.hasNext() ? vu.rest() : null) ?? turns.due();
      if (pause === null) start();
      else void pause.then(start);
    };
    start();
  });
}
