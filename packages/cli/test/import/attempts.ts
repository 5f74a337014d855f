import { setTimeout as sleep } from "node:timers/promises";

export interface Attempt {
  readonly problems: readonly string[];
  /** The 90th percentile of how late plain timers were during the attempt, in ms. */
  readonly lateMs: number;
}

/** A high limit costs nothing on a quiet machine; on a busy one, half of the attempts may meet other load. */
export const mostAttempts = 8;
const tickMs = 10;
/** Timers later than this mean a busy machine; on an idle one they are 1 or 2 ms late. */
const busyLateMs = 5;

/**
 * Repeats a measurement as long as it has problems and plain timers were late, too: then the machine was
 * busy. A problem while timers are on time is real and ends the measurement, unless `isMachines` blames the
 * machine for it: a worker may have had no CPU time while this process had some.
 */
export async function measureUntilQuiet(
  measure: () => Promise<readonly string[]>,
  isMachines: (problem: string) => boolean = () => false,
): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  do {
    const control = startControl();
    const problems = await measure();
    attempts.push({ problems, lateMs: await control.stop() });
  } while (
    attempts.length < mostAttempts &&
    attempts.at(-1)?.problems.length !== 0 &&
    (wasBusy(attempts.at(-1)) || attempts.at(-1)?.problems.every(isMachines) === true)
  );
  return attempts;
}

/** Returns one line for each attempt. */
export function describeAttempts(attempts: readonly Attempt[]): string {
  return attempts
    .map(({ problems, lateMs }, index) => {
      const found = problems.length === 0 ? "as recorded" : problems.join("; ");
      return `attempt ${index + 1}, timers up to ${lateMs.toFixed(1)} ms late: ${found}`;
    })
    .join("\n");
}

function wasBusy(attempt: Attempt | undefined): boolean {
  return attempt !== undefined && attempt.lateMs > busyLateMs;
}

interface Control {
  /** Resolves with the 90th percentile of how late the timers were, in ms. */
  stop(): Promise<number>;
}

/** Runs plain timers during a measurement, to see how busy the machine is. */
export function startControl(): Control {
  const late: number[] = [];
  const over = new AbortController();
  const ticking = (async () => {
    while (!over.signal.aborted) {
      const dueMs = performance.now() + tickMs;
      await sleep(tickMs);
      late.push(performance.now() - dueMs);
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await ticking;
      return late.toSorted((left, right) => left - right)[Math.floor(late.length * 0.9)] ?? 0;
    },
  };
}
