import { expect, test } from "vitest";

import { findBaseline } from "../../../../action/find-baseline.ts";
import { GithubApi } from "../../../../action/github-api.ts";
import { artifactOf } from "./payloads.ts";
import { startGithub, type GithubStub } from "./comments-api.ts";

const name = "load-test-baseline";

async function find(github: GithubStub) {
  const api = new GithubApi({ apiUrl: github.url, repository: "octo/shop", token: "job-token" });
  return findBaseline(api, name, "main");
}

test("the baseline is the latest artifact of the default branch", async () => {
  const github = await startGithub();
  github.artifacts.push(artifactOf(3), artifactOf(9), artifactOf(5), artifactOf(40, { name: "other" }));
  expect(await find(github)).toEqual({ id: 9, runId: 5009 });
});

test.each([
  ["that of another branch", artifactOf(50, {}, "feature")],
  ["that of a fork's branch with the same name", artifactOf(50, {}, "main", 2)],
  ["an expired artifact", artifactOf(50, { expired: true })],
  ["an artifact without a run", artifactOf(50, { workflow_run: null })],
])("the baseline is never %s", async (_, artifact) => {
  const github = await startGithub();
  github.artifacts.push(artifact);
  expect(await find(github)).toBeNull();
  github.artifacts.push(artifactOf(4));
  expect(await find(github)).toEqual({ id: 4, runId: 5004 });
});

test("the baseline is found after pages of artifacts from forks", async () => {
  const github = await startGithub();
  github.artifacts.push(
    ...Array.from({ length: 200 }, (_, id) => artifactOf(id, {}, "main", 2)),
    artifactOf(4),
  );
  expect(await find(github)).toEqual({ id: 4, runId: 5004 });
  expect(github.requests).toEqual(
    [1, 2, 3].map((page) => `GET /repos/octo/shop/actions/artifacts?name=${name}&per_page=100&page=${page}`),
  );
});
