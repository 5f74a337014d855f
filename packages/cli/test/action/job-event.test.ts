import { describe, expect, test } from "vitest";

import { readEvent } from "../../../../action/job-event.ts";
import { pullRequestOf, pushTo } from "./payloads.ts";

describe("an event", () => {
  test("of a pull request from the repository itself has its number", () => {
    expect(readEvent("pull_request", "refs/pull/7/merge", pullRequestOf(7))).toEqual({
      pullRequest: 7,
      isFork: false,
      defaultBranch: "main",
      isOfDefaultBranch: false,
    });
  });

  test.each([
    ["another repository", { id: 99 }],
    ["a repository that was deleted", null],
  ])("of a pull request from %s counts as a fork's", (_, repository) => {
    expect(readEvent("pull_request", "refs/pull/7/merge", pullRequestOf(7, repository)).isFork).toBe(true);
  });

  test.each([
    ["push", "refs/heads/main", true],
    ["workflow_dispatch", "refs/heads/main", true],
    ["push", "refs/heads/feature/main", false],
    ["push", "refs/tags/main", false],
    ["merge_group", "refs/heads/gh-readonly-queue/main/pr-7", false],
  ])("%s at %s belongs to the default branch: %s", (name, ref, isOfDefaultBranch) => {
    expect(readEvent(name, ref, pushTo("main"))).toEqual({
      pullRequest: null,
      isFork: false,
      defaultBranch: "main",
      isOfDefaultBranch,
    });
  });

  test("of a schedule belongs to the default branch, although its payload names none", () => {
    expect(readEvent("schedule", "refs/heads/trunk", { schedule: "0 3 * * *" })).toEqual({
      pullRequest: null,
      isFork: false,
      defaultBranch: null,
      isOfDefaultBranch: true,
    });
  });

  test("with an unexpected payload has no pull request, fork or default branch", () => {
    for (const payload of [null, [], "x", { pull_request: { number: "7" } }])
      expect(readEvent("pull_request", "refs/pull/7/merge", payload)).toMatchObject({
        pullRequest: null,
        isFork: false,
        isOfDefaultBranch: false,
      });
  });
});
