// Sets outputs for later steps: where to comment, what to compare with, and whether this run updates the
// baseline.
import { findBaseline, type FoundArtifact } from "./find-baseline.ts";
import { GithubApi, RefusedError } from "./github-api.ts";
import { read, readEvent, readEventFile, type JobEvent } from "./job-event.ts";
import { annotate, setOutputs, variable } from "./runner.ts";

const event = readEvent(
  variable("GITHUB_EVENT_NAME"),
  variable("GITHUB_REF"),
  readEventFile(variable("GITHUB_EVENT_PATH")),
);
const baseline = variable("INPUT_BASELINE");
const isKept = baseline === "artifact" || baseline === "cache";
const lookup = baseline === "artifact" ? await find(event) : null;
const [found, isLost] = lookup === "failed" ? [null, true] : [lookup, false];
setOutputs({
  "pull-request": findPullRequest(event),
  // A baseline that could not be looked up must not be replaced by one of a single run.
  "stores-baseline": String(isKept && event.isOfDefaultBranch && !isLost),
  "baseline-lost": String(isLost),
  "artifact-id": found === null ? "" : String(found.id),
  "run-id": found === null ? "" : String(found.runId),
});

function findPullRequest({ pullRequest, isFork }: JobEvent): string {
  if (pullRequest === null || variable("INPUT_COMMENT") !== "true") return "";
  if (!isFork) return String(pullRequest);
  annotate("notice", "A pull request from a fork gets no comment: the result is in the job summary.");
  return "";
}

/** Finds the baseline. If that fails, the test still runs; an error says why there is no comparison. */
async function find({ defaultBranch }: JobEvent): Promise<FoundArtifact | null | "failed"> {
  const api = new GithubApi({
    apiUrl: variable("GITHUB_API_URL"),
    repository: variable("GITHUB_REPOSITORY"),
    token: variable("GITHUB_TOKEN"),
  });
  try {
    const branch = defaultBranch ?? read(await api.request("GET", ""), "default_branch");
    return await findBaseline(api, `${variable("INPUT_NAME")}-baseline`, String(branch));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const isForbidden = error instanceof RefusedError && error.isForbidden;
    const advice = isForbidden ? " Give the job `permissions: actions: read`." : "";
    annotate("error", `The baseline could not be looked up: ${why}.${advice}`);
    return "failed";
  }
}
