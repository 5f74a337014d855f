import type { LoadedTest } from "@bearhug/engine/run/load-test";
import { ThreadPool } from "@bearhug/engine/run/thread-pool";
import type { Launcher } from "@bearhug/plan/protocol/launcher";
import type { WorkerStart } from "@bearhug/plan/protocol/messages";

/** Returns a function that starts a test's workers: in threads, or in this thread if `workers` is 0. */
export async function launcherFor(
  { source }: LoadedTest,
  workers: number | null,
  threads: ThreadPool = new ThreadPool([]),
): Promise<Launcher> {
  if (workers === 0) return (await import("@bearhug/engine/worker/launch-in-this-thread")).launchInThisThread;
  if (source.kind !== "url") return threads.launch;
  // The test of a URL has no user code, so this thread can read its definition, which saves a thread.
  const { launchEmbedded } = await import("@bearhug/engine/worker/launch-in-this-thread");
  return <Sent, Received>(start: WorkerStart, onOutput: (text: string) => void) => {
    const launch: Launcher = start.role === "definition" ? launchEmbedded : threads.launch;
    return launch<Sent, Received>(start, onOutput);
  };
}
