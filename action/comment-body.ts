/** GitHub's length limit of a comment, minus room for the text around the reports. */
const maxCharacters = 65_536 - 1000;

/** The content of a run's comment. */
export interface CommentContent {
  readonly name: string;
  /** The Markdown report; null if there is none. */
  readonly report: string | null;
  /** The comparison with the baseline; null if there is none. */
  readonly comparison: string | null;
  /** Empty if the test was not run. */
  readonly exitCode: string;
  /** The exit code of a comparison that failed the job; otherwise empty. */
  readonly comparisonExitCode: string;
  /** The page of the workflow's run. */
  readonly runUrl: string;
  /** The commit of the pull request that was tested. */
  readonly commit: string;
}

/** Returns the hidden beginning of a comment, which identifies the comment of one use of the action. */
export function markerOf(name: string): string {
  return `<!-- bearhug action: ${name} -->`;
}

/**
 * Renders the comment of a run: its verdict, the comparison, and the report in a collapsible section. A part
 * that is too long is left out.
 */
export function renderComment(content: CommentContent): string {
  const { name, report, comparison, exitCode, comparisonExitCode, runUrl, commit } = content;
  const fallback = exitCode === "" ? "not run" : `errored, exit code ${exitCode}`;
  const [reported = "", ...rest] = (report ?? `## ❌ bearhug: ${fallback}\n`).split("\n");
  // The report was written before the comparison failed the job.
  const headline = comparisonExitCode === "" ? reported : `## ❌ bearhug: ${describe(comparisonExitCode)}`;
  const sections = [
    ...(comparison === null ? [] : [comparison]),
    ...(report === null ? [] : [fold("Report", rest.join("\n"), comparison === null)]),
  ];
  let room = maxCharacters;
  const kept = sections.filter((section) => (room -= section.length) >= 0);
  const cut = kept.length < sections.length ? "A part is left out: a comment has no room for it. " : "";
  const footer = `${cut}\`${name}\` at ${commit}. [Job summary and artifacts](${runUrl})`;
  return `${[markerOf(name), headline, ...kept.map((section) => section.trim()), footer].join("\n\n")}\n`;
}

function describe(comparisonExitCode: string): string {
  return comparisonExitCode === "99"
    ? "failed by the comparison"
    : `errored in the comparison, exit code ${comparisonExitCode}`;
}

/** Wraps Markdown in a collapsible section. Reports escape every `<` in texts, so a text cannot close it. */
function fold(title: string, markdown: string, isOpen: boolean): string {
  return `<details${isOpen ? " open" : ""}><summary>${title}</summary>\n\n${markdown.trim()}\n\n</details>`;
}
