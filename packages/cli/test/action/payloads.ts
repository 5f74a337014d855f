const repository = { id: 1, full_name: "octo/shop", default_branch: "main" };

/** The payload of `pull_request`. `head`: the repository that the branch is in; null after it was deleted. */
export function pullRequestOf(number: number, head: { readonly id: number } | null = { id: 1 }): unknown {
  return {
    action: "synchronize",
    number,
    pull_request: { number, head: { ref: "faster", sha: "a".repeat(40), repo: head } },
    repository,
  };
}

/** The payload of `push`, as far as it matters. */
export function pushTo(branch: string): unknown {
  return { ref: `refs/heads/${branch}`, repository };
}
