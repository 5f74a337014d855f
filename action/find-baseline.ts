import type { GithubApi } from "./github-api.ts";
import { read } from "./job-event.ts";

/** An artifact of an earlier run of a workflow. */
export interface FoundArtifact {
  readonly id: number;
  readonly runId: number;
}

/**
 * Finds the latest artifact of this name from a run of the default branch; null if there is none. The list
 * also has artifacts of forks, whose branch may have the same name: they are ignored.
 */
export async function findBaseline(
  api: GithubApi,
  name: string,
  defaultBranch: string,
): Promise<FoundArtifact | null> {
  for await (const page of api.pages(`/actions/artifacts?name=${encodeURIComponent(name)}`, "artifacts")) {
    const own = page.filter((artifact) => isOwnArtifact(artifact, name, defaultBranch));
    const latest = own.toSorted((left, right) => createdAt(right).localeCompare(createdAt(left)))[0];
    const [id, runId] = [read(latest, "id"), read(latest, "workflow_run", "id")];
    // Pages list the latest artifacts first.
    if (typeof id === "number" && typeof runId === "number") return { id, runId };
  }
  return null;
}

function isOwnArtifact(artifact: unknown, name: string, defaultBranch: string): boolean {
  const run = (key: string): unknown => read(artifact, "workflow_run", key);
  return (
    read(artifact, "name") === name &&
    read(artifact, "expired") === false &&
    run("head_branch") === defaultBranch &&
    run("repository_id") !== undefined &&
    run("head_repository_id") === run("repository_id")
  );
}

function createdAt(artifact: unknown): string {
  const time = read(artifact, "created_at");
  return typeof time === "string" ? time : "";
}
