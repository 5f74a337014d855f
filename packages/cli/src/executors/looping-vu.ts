import type { DrivenVu } from "./executor.ts";
import type { TurnKeeper } from "./turn-keeper.ts";

/** Runs one iteration after the other until `next` has no number for another. */
export async function loopVu(vu: DrivenVu, turns: TurnKeeper, next: () => number | null): Promise<void> {
  for (let number = next(); number !== null; number = next()) {
    await vu.iterate({ number, intendedMs: null, offeredMs: null });
    const turn = turns.due();
    if (turn !== null) await turn;
  }
}
