import { setTimeout as sleep } from "node:timers/promises";

export interface Attempt {
  readonly problems: readonly string[];
  /** How late nine of ten plain timers beside it were at most. */
  readonly lateMs: number;
}

/** One more costs nothing where the machine is quiet; on a busy one, half of them may find it busy. */
export const mostAttempts = 8;
const tickMs = 10;
/** On a machine that has nothing else to do it is one or two. */
const busyLateMs = 5;

/**
 * Measures again as long as there are problems and plain timers beside the measurement were late, too: then the machine
 * was busy with others. What is wrong while timers are on time is wrong, and is not tried again, unless it is the machine's own:
 * a worker may have had no time while this process had.
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

/** Every attempt, in a line each. */
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
  /** Resolves to how late nine of ten plain timers were at most, in ms. */
  stop(): Promise<number>;
}

/** Sets plain timers beside a measurement. */
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
