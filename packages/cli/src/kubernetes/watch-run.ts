import type { ClusterPod } from "./cluster-objects.ts";
import type { Kubectl } from "./kubectl.ts";
import { isOfPayload } from "./log-payload.ts";
import { readRun } from "./list-runs.ts";
import { componentOf, describeAgents, readStanding, type RunStanding } from "./run-standing.ts";

export interface WatchOptions {
  /** Prints a line about the run. */
  readonly print: (line: string) => void;
  /** Prints a line of the coordinator's log. */
  readonly log: (line: string) => void;
  /** Resolves after this many ms, or as soon as `signal` aborts. */
  readonly wait: (ms: number) => Promise<void>;
  /**
   * True to give up if the coordinator does not start within the run's join timeout; false to wait without
   * limit.
   */
  readonly hasStartTimeout: boolean;
  /** Stops watching; the run continues. */
  readonly signal: AbortSignal;
}

const pollEveryMs = 2000;

/**
 * Watches a run until its coordinator has ended, or has not started in time. Prints each change once. Returns
 * the run's standing at the end.
 */
export async function watchRun(kubectl: Kubectl, run: string, watching: WatchOptions): Promise<RunStanding> {
  const printed = new Set<string>();
  let startableMs: number | null = null;
  const log = new FollowedLog(kubectl, watching);
  let last = "";
  for (;;) {
    const objects = await readRun(kubectl, run);
    const standing = readStanding(objects);
    const line = `agents: ${describeAgents(standing)}; coordinator: ${standing.coordinator}`;
    if (line !== last) watching.print(line);
    last = line;
    for (const problem of standing.problems.filter((one) => !printed.has(one))) {
      printed.add(problem);
      watching.print(problem);
    }
    const pod = objects.pods.find((one) => componentOf(one) === "coordinator" && hasBegun(one));
    if (pod !== undefined) log.follow(pod.metadata.name);
    if (standing.coordinator === "ended" || standing.coordinator === "absent") {
      await log.ended;
      return standing;
    }
    startableMs ??= watching.hasStartTimeout ? (standing.joinTimeoutMs ?? Infinity) : Infinity;
    // Once a coordinator has run, its Job replaces failed pods, and ends if that happens too often.
    if (pod !== undefined) startableMs = Infinity;
    if (startableMs <= 0) return standing;
    const waitMs = Math.min(pollEveryMs, startableMs);
    await watching.wait(waitMs);
    startableMs -= waitMs;
    if (watching.signal.aborted) return standing;
  }
}

function hasBegun({ status }: ClusterPod): boolean {
  return status.phase !== "Pending";
}

/** Follows the logs of a coordinator's pods, each once. */
class FollowedLog {
  readonly #kubectl: Kubectl;
  readonly #watching: WatchOptions;
  readonly #seen = new Set<string>();
  ended: Promise<void> = Promise.resolve();

  constructor(kubectl: Kubectl, watching: WatchOptions) {
    this.#kubectl = kubectl;
    this.#watching = watching;
  }

  follow(pod: string): void {
    if (this.#seen.has(pod)) return;
    this.#seen.add(pod);
    const { signal, log } = this.#watching;
    const followed = this.#kubectl.follow([pod], signal, (line) => {
      if (!isOfPayload(line)) log(line);
    });
    this.ended = Promise.all([this.ended, followed]).then(() => undefined);
  }
}
