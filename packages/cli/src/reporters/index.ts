import { closestName } from "@bearhug/sdk";
import { resolve } from "node:path";
import { InvalidInput } from "../invalid-input.ts";
import { createJsonReporter } from "./json.ts";
import { renderJunit } from "./junit/render-junit.ts";
import { renderMarkdown } from "./markdown/render-markdown.ts";
import type { Reporter } from "./reporter.ts";
import { createFileReporter } from "./write-report.ts";

/** Every report that `--out` knows, and how to make it; null for those still to come. */
const kinds: Readonly<Record<string, ((path: string) => Reporter) | null>> = {
  json: createJsonReporter,
  html: null,
  junit: (path) => createFileReporter("junit", path, renderJunit),
  csv: null,
  ndjson: null,
  markdown: (path) => createFileReporter("markdown", path, renderMarkdown),
};

/** Where a report goes when no path is given. */
const defaultPaths: Readonly<Record<string, string>> = {
  json: "result.json",
  junit: "junit.xml",
  markdown: "report.md",
};

/**
 * The reporters that `--out KIND[=PATH]` asks for, in that order.
 * @throws {InvalidInput} with one sentence for each text that cannot be used
 */
export function createReporters(outs: readonly string[]): Reporter[] {
  const problems = findOutProblems(outs);
  if (problems.length > 0) throw new InvalidInput(problems);
  return outs.map(parseOut).flatMap((out) => (typeof out === "string" ? [] : [out.create(out.path)]));
}

/** One sentence for each `--out` that cannot be used. */
export function findOutProblems(outs: readonly string[]): string[] {
  const parsed = outs.map(parseOut);
  return [...parsed.filter((out) => typeof out === "string"), ...findCollisions(parsed)];
}

interface Out {
  readonly path: string;
  readonly create: (path: string) => Reporter;
}

/** What one `--out` asks for, or the sentence that says what is wrong with it. */
function parseOut(text: string): Out | string {
  const [, kind = "", path] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const create = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (create === undefined) return `--out ${text}: ${explainUnknown(kind)}`;
  if (create === null) return `--out ${text}: ${kind} reports are not built yet. There is ${builtKinds()}.`;
  const chosen = path ?? defaultPaths[kind] ?? "";
  if (chosen === "") return `--out ${text}: the path after = is empty. Write --out ${kind}=PATH.`;
  return { path: chosen, create };
}

function explainUnknown(kind: string): string {
  if (kind === "github")
    return "GitHub Actions needs no --out: its reports are written where GITHUB_ACTIONS=true.";
  const known = Object.keys(kinds);
  const meant = closestName(kind, known);
  const hint = meant === undefined ? `There is ${builtKinds()}.` : `Did you mean ${meant}?`;
  return `no report is called "${kind}". ${hint}`;
}

function builtKinds(): string {
  return Object.keys(kinds)
    .filter((name) => kinds[name] !== null)
    .join(", ");
}

/** Two reports in one file: the second would silently replace the first. */
function findCollisions(outs: readonly (Out | string)[]): string[] {
  const paths = outs.flatMap((out) => (typeof out === "string" ? [] : [resolve(out.path)]));
  const repeated = new Set(paths.filter((path, index) => paths.indexOf(path) !== index));
  return [...repeated].map((path) => `--out: two reports would be written to ${path}.`);
}
