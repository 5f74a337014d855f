import type { DrivenVu } from "./executor.ts";
import type { TurnKeeper } from "./turn-keeper.ts";

/** The iterations that a VU runs one after the other. */
export interface LoopedIterations {
  /** False when there is no other: the VU then has nothing to rest for. */
  hasNext(): boolean;
  /** The number of the next one, or null. */
  next(): number | null;
}

/** Runs one iteration after the other until there is no other. */
export async function loopVu(vu: DrivenVu, turns: TurnKeeper, iterations: LoopedIterations): Promise<void> {
  for (let number = iterations.next(); number !== null; number = iterations.next()) {
    await vu.iterate({ number, intendedMs: null, offeredMs: null });
    const pause = (iterations.hasNext() ? vu.rest() : null) ?? turns.due();
    if (pause !== null) await pause;
  }
}
