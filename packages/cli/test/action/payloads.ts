const repository = { id: 1, full_name: "octo/shop", default_branch: "main" };

/** Returns the payload of `pull_request`. `head` is the repository of the branch; null if it was deleted. */
export function pullRequestOf(number: number, head: { readonly id: number } | null = { id: 1 }): unknown {
  return {
    action: "synchronize",
    number,
    pull_request: { number, head: { ref: "faster", sha: "a".repeat(40), repo: head } },
    repository,
  };
}

/** Returns the payload of `push`, with the fields that matter. */
export function pushTo(branch: string): unknown {
  return { ref: `refs/heads/${branch}`, repository };
}

/** Returns an artifact as the API lists it, by default of the default branch. */
export function artifactOf(
  id: number,
  more: Readonly<Record<string, unknown>> = {},
  branch = "main",
  head = 1,
): unknown {
  const run = { id: id + 5000, repository_id: 1, head_repository_id: head, head_branch: branch };
  const created_at = `2026-11-23T10:00:${String(id % 60).padStart(2, "0")}Z`;
  return { id, name: "load-test-baseline", expired: false, created_at, workflow_run: run, ...more };
}
