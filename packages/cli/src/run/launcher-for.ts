import type { Launcher } from "../protocol/launcher.ts";
import type { WorkerStart } from "../protocol/messages.ts";
import type { LoadedTest } from "./load-test.ts";
import { ThreadPool } from "./thread-pool.ts";

/** Starts the workers of a test: in threads, or in this one where `workers` is 0. */
export async function launcherFor(
  { source }: LoadedTest,
  workers: number | null,
  threads: ThreadPool = new ThreadPool([]),
): Promise<Launcher> {
  if (workers === 0) return (await import("../worker/launch-here.ts")).launchHere;
  if (source.kind !== "url") return threads.launch;
  // The test of an address has no code of the user's: this thread reads it, and a run needs one thread fewer.
  const { launchAsGuest } = await import("../worker/launch-here.ts");
  return <Sent, Received>(start: WorkerStart, onOutput: (text: string) => void) => {
    const launch: Launcher = start.role === "definition" ? launchAsGuest : threads.launch;
    return launch<Sent, Received>(start, onOutput);
  };
}
