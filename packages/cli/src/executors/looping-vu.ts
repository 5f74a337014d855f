import type { Clock } from "../pacing/clock.ts";
import type { DrivenVu } from "./executor.ts";

/** Without I/O in an iteration nothing else would get its turn; after this long in one go, it does. */
const longestTurnMs = 5;

/** Runs one iteration after the other until `next` has no number for another. */
export async function loopVu(vu: DrivenVu, clock: Clock, next: () => number | null): Promise<void> {
  let turnBeganMs = clock.now();
  for (let number = next(); number !== null; number = next()) {
    await vu.iterate({ number, intendedMs: null, wokeMs: null });
    if (clock.now() - turnBeganMs >= longestTurnMs) {
      await clock.nextTurn();
      turnBeganMs = clock.now();
    }
  }
}
