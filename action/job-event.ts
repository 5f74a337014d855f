import { readFileSync } from "node:fs";

/** The event that started the job, reduced to what the action needs. */
export interface JobEvent {
  /** The number of the pull request; null for other events. */
  readonly pullRequest: number | null;
  /** True if the code comes from another repository: the job's token is then read-only. */
  readonly isFork: boolean;
  /** Null if the event does not include it. */
  readonly defaultBranch: string | null;
  /** True if the job tests the default branch itself. */
  readonly isOfDefaultBranch: boolean;
}

/** Reads an event from its name, `GITHUB_REF` and payload. */
export function readEvent(name: string, ref: string, payload: unknown): JobEvent {
  const number = read(payload, "pull_request", "number");
  const isPullRequest = name === "pull_request" && typeof number === "number";
  const head = read(payload, "pull_request", "head", "repo", "id");
  const branch = read(payload, "repository", "default_branch");
  const defaultBranch = typeof branch === "string" ? branch : null;
  return {
    pullRequest: isPullRequest ? number : null,
    isFork: isPullRequest && (head === undefined || head !== read(payload, "repository", "id")),
    defaultBranch,
    // A schedule always runs on the default branch, although its payload may not include the branch.
    isOfDefaultBranch: name === "schedule" || (!isPullRequest && isBranch(ref, defaultBranch)),
  };
}

export function readEventFile(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Returns the value at a path of keys; undefined if one is missing. */
export function read(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
}

function isBranch(ref: string, branch: string | null): boolean {
  return branch !== null && ref === `refs/heads/${branch}`;
}
