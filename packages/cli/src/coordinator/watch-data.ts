import type { Clock } from "../pacing/clock.ts";
import { every } from "../pacing/every.ts";
import { accountReceivedBytes } from "./account.ts";
import type { LoadRun } from "./load-run.ts";

/** At 10 Gbit/s, 60 MB arrive between two looks. */
const lookEveryMs = 50;

/** Calls back once when so much was received, the warm-up included. Returns how to end the watch. */
export function watchData(
  clock: Clock,
  load: LoadRun,
  maxDataBytes: number | null,
  onReached: () => void,
): () => void {
  if (maxDataBytes === null) return () => undefined;
  const end = every(clock, lookEveryMs, () => {
    if (accountReceivedBytes(load) < maxDataBytes) return;
    end();
    onReached();
  });
  return end;
}
