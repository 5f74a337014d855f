/** The most characters that GitHub takes in a comment, with room for what stands around the reports. */
const mostCharacters = 65_536 - 1000;

/** Whatever the comment of one run is made of. */
export interface CommentParts {
  readonly name: string;
  /** The Markdown report; null if there is none. */
  readonly report: string | null;
  /** The comparison with the baseline; null if there is none. */
  readonly comparison: string | null;
  /** Empty if the test was not run. */
  readonly exitCode: string;
  /** The page of the workflow's run. */
  readonly runUrl: string;
  /** The commit of the pull request that was tested. */
  readonly commit: string;
}

/** The beginning of a comment, which GitHub does not show: the comment of one use of the action is found by it. */
export function markerOf(name: string): string {
  return `<!-- bearhug action: ${name} -->`;
}

/** The comment of a run: its verdict, the comparison, and the report to fold out. A part that is too long is left out. */
export function renderComment(parts: CommentParts): string {
  const { name, report, comparison, exitCode, runUrl, commit } = parts;
  const fallback = exitCode === "" ? "not run" : `errored, exit code ${exitCode}`;
  const [headline = "", ...rest] = (report ?? `## ❌ bearhug: ${fallback}\n`).split("\n");
  const sections = [
    ...(comparison === null ? [] : [comparison]),
    ...(report === null ? [] : [fold("Report", rest.join("\n"), comparison === null)]),
  ];
  let room = mostCharacters;
  const kept = sections.filter((section) => (room -= section.length) >= 0);
  const cut = kept.length < sections.length ? "A part is left out: a comment has no room for it. " : "";
  const footer = `${cut}\`${name}\` at ${commit}. [Job summary and artifacts](${runUrl})`;
  return `${[markerOf(name), headline, ...kept.map((section) => section.trim()), footer].join("\n\n")}\n`;
}

/** Reports escape every `<` of a text, so none can end it. */
function fold(title: string, markdown: string, isOpen: boolean): string {
  return `<details${isOpen ? " open" : ""}><summary>${title}</summary>\n\n${markdown.trim()}\n\n</details>`;
}
