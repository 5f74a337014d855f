// Writes the result into one comment on the pull request: creates it the first time, then updates it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { markerOf, renderComment } from "./comment-body.ts";
import { GithubApi, RefusedError } from "./github-api.ts";
import { read, readEventFile } from "./job-event.ts";
import { annotate, variable } from "./runner.ts";

/**
 * The author of comments written with a job's own token. Checked because other users could write the marker,
 * too.
 */
const author = "github-actions[bot]";

const api = new GithubApi({
  apiUrl: variable("GITHUB_API_URL"),
  repository: variable("GITHUB_REPOSITORY"),
  token: variable("GITHUB_TOKEN"),
});
const pullRequest = variable("PULL_REQUEST");
const name = variable("INPUT_NAME");
const repositoryUrl = `${variable("GITHUB_SERVER_URL")}/${variable("GITHUB_REPOSITORY")}`;
const body = renderComment({
  name,
  report: readIfPresent("report.md"),
  comparison: readIfPresent("comparison.md"),
  exitCode: variable("EXIT_CODE"),
  comparisonExitCode: variable("COMPARISON_EXIT_CODE"),
  runUrl: `${repositoryUrl}/actions/runs/${variable("GITHUB_RUN_ID")}`,
  commit: String(read(readEventFile(variable("GITHUB_EVENT_PATH")), "pull_request", "head", "sha")),
});

try {
  const id = await findComment();
  if (id === null) await api.request("POST", `/issues/${pullRequest}/comments`, { body });
  else await api.request("PATCH", `/issues/comments/${id}`, { body });
  console.log(id === null ? "Commented on the pull request." : "Updated the comment on the pull request.");
} catch (error) {
  // A missing comment must not fail the job.
  const why = error instanceof Error ? error.message : String(error);
  const isForbidden = error instanceof RefusedError && error.isForbidden;
  const advice = isForbidden ? " Give the job `permissions: pull-requests: write`." : "";
  annotate("warning", `The result is in the job summary, but not in a comment: ${why}.${advice}`);
}

async function findComment(): Promise<number | null> {
  for await (const page of api.pages(`/issues/${pullRequest}/comments`, null)) {
    const id = read(page.find(isOurs), "id");
    if (typeof id === "number") return id;
  }
  return null;
}

function isOurs(comment: unknown): boolean {
  const text = read(comment, "body");
  return (
    read(comment, "user", "login") === author && typeof text === "string" && text.startsWith(markerOf(name))
  );
}

function readIfPresent(file: string): string | null {
  const path = join(variable("FOLDER"), "report", file);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
