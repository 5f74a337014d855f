import { InvalidInput } from "@bearhug/sdk";

import { readEvents, readJobs, readPods } from "./cluster-objects.ts";
import type { Kubectl } from "./kubectl.ts";
import { runLabel, selectorOf } from "./run-names.ts";
import { readStanding, type RunObjects, type RunStanding } from "./run-standing.ts";

export interface ListedRun {
  readonly name: string;
  /** The creation time in Kubernetes' format. */
  readonly createdAt: string;
  readonly standing: RunStanding;
}

/** Lists all runs of a namespace, newest first. */
export async function listRuns(kubectl: Kubectl): Promise<ListedRun[]> {
  const { jobs, pods } = await readJobsAndPods(kubectl, null);
  const names = new Set(jobs.flatMap(({ metadata }) => metadata.labels[runLabel] ?? []));
  return [...names]
    .map((name) => {
      const isOfRun = ({
        metadata,
      }: {
        readonly metadata: { readonly labels: Record<string, string> };
      }): boolean => metadata.labels[runLabel] === name;
      const own = { jobs: jobs.filter(isOfRun), pods: pods.filter(isOfRun), events: [] };
      const [createdAt = ""] = own.jobs.map(({ metadata }) => metadata.creationTimestamp).sort();
      return { name, createdAt, standing: readStanding(own) };
    })
    .sort((left, right) => right.createdAt.localeCompare(left.createdAt));
}

/** Returns the error for a name that no run in the namespace has. */
export function noSuchRun(name: string): InvalidInput {
  return new InvalidInput([`There is no run ${name} in this namespace. See bearhug k8s list.`]);
}

/** Reads the objects of one run, with the events of its Jobs. */
export async function readRun(kubectl: Kubectl, run: string): Promise<RunObjects> {
  const { jobs, pods } = await readJobsAndPods(kubectl, run);
  const names = jobs.map(({ metadata }) => metadata.name);
  const all = readEvents(await kubectl.get("events", "--field-selector", "involvedObject.kind=Job"));
  return { jobs, pods, events: all.filter(({ involvedObject }) => names.includes(involvedObject.name)) };
}

async function readJobsAndPods(kubectl: Kubectl, run: string | null): Promise<Omit<RunObjects, "events">> {
  const found = await kubectl.get("jobs,pods", "--selector", selectorOf(run));
  return { jobs: readJobs(found), pods: readPods(found) };
}
