import type { Repeatable } from "./repeated.ts";
import { chooseRound } from "./time-budget.ts";

/**
 * Runs the rounds that fit into the time. Each has its measurements in the reverse order of the round before.
 */
export async function runRounds(
  all: readonly Repeatable[],
  { rounds, minutes }: { readonly rounds: number; readonly minutes: number | null },
  onRound: () => Promise<void>,
): Promise<void> {
  const endAtMs = minutes === null ? Number.POSITIVE_INFINITY : performance.now() + minutes * 60_000;
  for (let round = 1; ; round++) {
    const chosen = chooseRound(all, rounds, endAtMs - performance.now());
    if (chosen.length === 0) return;
    const minutesOfRound = chosen.reduce((sum, { costMs }) => sum + costMs, 0) / 60_000;
    console.log(
      `\nRound ${round}: ${chosen.length} of ${all.length} measurements, about ${minutesOfRound.toFixed(1)} minutes`,
    );
    for (const each of round % 2 === 1 ? chosen : chosen.toReversed()) {
      if (performance.now() + each.costMs > endAtMs) continue;
      console.log(`${each.label.padEnd(44)} ${await each.repeat()}`);
    }
    await onRound();
  }
}
