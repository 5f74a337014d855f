import type { ClusterPod } from "./cluster-objects.ts";
import type { Kubectl } from "./kubectl.ts";
import { isOfLastWords } from "./last-words.ts";
import { readRun } from "./list-runs.ts";
import { componentOf, describeAgents, readStanding, type RunStanding } from "./run-standing.ts";

export interface Watching {
  /** Takes a line about the run. */
  readonly tell: (line: string) => void;
  /** Takes a line of the coordinator's log. */
  readonly log: (line: string) => void;
  /** Resolves after so many ms, or as soon as `signal` aborts. */
  readonly wait: (ms: number) => Promise<void>;
  /** False to wait for the coordinator's start for as long as it takes; true for the join timeout of the run. */
  readonly hasStartTimeout: boolean;
  /** Ends the watching, not the run. */
  readonly signal: AbortSignal;
}

const lookEveryMs = 2000;

/**
 * Watches a run until its coordinator has ended, or has not started in time. Tells each change once. Returns the run's standing
 * at the end.
 */
export async function watchRun(kubectl: Kubectl, run: string, watching: Watching): Promise<RunStanding> {
  const told = new Set<string>();
  let startableMs: number | null = null;
  const log = new FollowedLog(kubectl, watching);
  let last = "";
  for (;;) {
    const objects = await readRun(kubectl, run);
    const standing = readStanding(objects);
    const line = `agents: ${describeAgents(standing)}; coordinator: ${standing.coordinator}`;
    if (line !== last) watching.tell(line);
    last = line;
    for (const problem of standing.problems.filter((one) => !told.has(one))) {
      told.add(problem);
      watching.tell(problem);
    }
    const pod = objects.pods.find((one) => componentOf(one) === "coordinator" && hasBegun(one));
    if (pod !== undefined) log.follow(pod.metadata.name);
    if (standing.coordinator === "ended" || standing.coordinator === "absent") {
      await log.ended;
      return standing;
    }
    startableMs ??= watching.hasStartTimeout ? (standing.joinTimeoutMs ?? Infinity) : Infinity;
    // One that has run before is replaced by its Job, which ends where that fails too often.
    if (pod !== undefined) startableMs = Infinity;
    if (startableMs <= 0) return standing;
    const waitMs = Math.min(lookEveryMs, startableMs);
    await watching.wait(waitMs);
    startableMs -= waitMs;
    if (watching.signal.aborted) return standing;
  }
}

function hasBegun({ status }: ClusterPod): boolean {
  return status.phase !== "Pending";
}

/** The logs of a coordinator's pods, one after the other: each line once. */
class FollowedLog {
  readonly #kubectl: Kubectl;
  readonly #watching: Watching;
  readonly #seen = new Set<string>();
  ended: Promise<void> = Promise.resolve();

  constructor(kubectl: Kubectl, watching: Watching) {
    this.#kubectl = kubectl;
    this.#watching = watching;
  }

  follow(pod: string): void {
    if (this.#seen.has(pod)) return;
    this.#seen.add(pod);
    const { signal, log } = this.#watching;
    const followed = this.#kubectl.follow([pod], signal, (line) => {
      if (!isOfLastWords(line)) log(line);
    });
    this.ended = Promise.all([this.ended, followed]).then(() => undefined);
  }
}
