import { listKernelFolder, numberIn, readKernelFile } from "./kernel-file.ts";

/** The total time that each thread of this process was ready to run without a core, in ms, by thread id. */
export type ThreadQueues = ReadonlyMap<string, number>;

const tasks = "/proc/self/task";

/** Returns null on systems other than Linux, which do not count this. */
export function readThreadQueues(): ThreadQueues | null {
  const queues = listKernelFolder(tasks).flatMap((id) => {
    const queuedMs = parseSchedstat(readKernelFile(`${tasks}/${id}/schedstat`));
    return queuedMs === null ? [] : [[id, queuedMs] as const];
  });
  return queues.length === 0 ? null : new Map(queues);
}

/**
 * Parses the second figure of a `schedstat`: time on a core, time in its queue (both in nanoseconds), time
 * slices.
 */
export function parseSchedstat(text: string | null): number | null {
  const queuedNs = numberIn(text, /^\d+ (\d+) \d+\s*$/);
  return queuedNs === null ? null : queuedNs / 1e6;
}

/**
 * Returns the time that all threads together waited in between. A thread that has ended counts until it was
 * last seen.
 */
export function queuedBetween(before: ThreadQueues, after: ThreadQueues): number {
  let sumMs = 0;
  for (const [id, queuedMs] of after) sumMs += Math.max(0, queuedMs - (before.get(id) ?? 0));
  return sumMs;
}
