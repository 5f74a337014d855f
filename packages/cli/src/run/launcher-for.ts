import { ThreadPool } from "./thread-pool.ts";
import type { DefinitionSource } from "../protocol/definition-source.ts";
import type { Launcher } from "../protocol/launcher.ts";
import type { WorkerStart } from "../protocol/messages.ts";

/** The test of an address has no code of the user's: this thread reads it, and a run needs one thread fewer. */
export async function launcherFor(
  { kind }: DefinitionSource,
  threads: ThreadPool = new ThreadPool([]),
): Promise<Launcher> {
  if (kind !== "url") return threads.launch;
  const { launchAsGuest } = await import("../worker/launch-here.ts");
  return <Sent, Received>(start: WorkerStart, onOutput: (text: string) => void) => {
    const launch: Launcher = start.role === "definition" ? launchAsGuest : threads.launch;
    return launch<Sent, Received>(start, onOutput);
  };
}
