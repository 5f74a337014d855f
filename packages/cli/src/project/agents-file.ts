import type { PlannedFile } from "./planned-file.ts";
import { linesOf, type Project } from "./project.ts";

const heading = "## Load tests";
/** Identifies the section, even if its text was edited. */
const marker = "node_modules/bearhug/llms.txt";

/**
 * Plans `AGENTS.md`, which tells coding agents how to work on the project: adds a section about load tests.
 */
export function planAgentsFile({
  prefix,
  read,
  packageManager,
}: Pick<Project, "prefix" | "read" | "packageManager">): PlannedFile {
  const path = `${prefix}AGENTS.md`;
  const existing = read(path);
  const section = writeSection(`${linesOf[packageManager].exec} bearhug`);
  if (existing === null) return { kind: "new", path, text: section };
  if (existing.includes(marker)) return { kind: "kept", path, why: "says how load tests are written" };
  const eol = existing.includes("\r\n") ? "\r\n" : "\n";
  const text = `${existing.trimEnd()}\n\n${section}`.replaceAll(/\r?\n/g, eol);
  return { kind: "changed", path, text, added: heading };
}

function writeSection(command: string): string {
  return `${heading}

Load tests are in \`load/\`, in files that end in \`.load.ts\`. Before you write or change one, read \`${marker}\` and the skill that
fits in \`node_modules/bearhug/skills/\`.

- \`${command} check FILE --json\` finds mistakes and sends nothing. \`${command} try FILE --json\` makes one iteration. \`${command} run FILE --json\`
  applies the load.
- Exit codes: 0 passed, 99 failed, 104 invalid input. Problems in the JSON have a code, a file, a line and a column.
- Load only the site that you were told to load: add \`--limit-hosts HOST --limit-vus 20 --limit-duration 2m\` to each run.
`;
}
