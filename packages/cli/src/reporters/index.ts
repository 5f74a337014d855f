import { closestName } from "@bearhug/sdk/internal";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { identityOf } from "../file-output/file-identity.ts";
import { InvalidInput } from "../invalid-input.ts";
import { renderIntervalLog } from "./hdr/interval-log.ts";
import { renderPercentileText } from "./hdr/percentile-text.ts";
import { createJsonReporter } from "./json.ts";
import { renderJunit } from "./junit/render-junit.ts";
import { renderMarkdown } from "./markdown/render-markdown.ts";
import { createFileReporter, isForStdout, whyNoPlace } from "./write-report.ts";
import type { Reporter } from "./reporter.ts";

/** Sources of a report besides the result. */
export interface ReportParts {
  /** Reads the recording of the run, once it has ended; absent where there is none. */
  readonly recording?: () => Promise<AsyncIterable<Uint8Array>>;
  /** The stream that is written while the run goes on. */
  readonly ndjson?: Reporter | null;
  /** Reporters of the user's own, by the file that `--out` names. */
  readonly own?: readonly Reporter[];
}

type Create = (path: string, parts: ReportParts) => Reporter;

/** Every report that `--out` knows, and how to make it. What few runs use is loaded when it is used. */
const kinds: Readonly<Record<string, Create>> = {
  json: createJsonReporter,
  html: (path) =>
    createFileReporter("html", path, async (result) =>
      (await import("./html/built-page.ts")).renderBuiltPage(result),
    ),
  junit: (path) => createFileReporter("junit", path, renderJunit),
  csv: (path) =>
    createFileReporter("csv", path, async (result) => (await import("./csv.ts")).renderCsv(result)),
  ndjson: (_path, { ndjson }) => {
    if (ndjson === undefined || ndjson === null) throw new TypeError("only a run is streamed");
    return ndjson;
  },
  markdown: (path) => createFileReporter("markdown", path, renderMarkdown),
  hgrm: (path) => createFileReporter("hgrm", path, renderPercentileText),
  hlog: (path) => createFileReporter("hlog", path, renderIntervalLog),
  recording: (path, { recording }) =>
    createFileReporter("recording", path, () => {
      if (recording === undefined) throw new TypeError("only a run has a recording");
      return recording();
    }),
};

/** Sinks receive metrics during a run. They are not reports, and other code creates them. */
const sinkKinds = ["otlp", "prometheus"];

/** The path of each report if none is given. */
const defaultPaths: Readonly<Record<string, string>> = {
  json: "result.json",
  html: "report.html",
  csv: "result.csv",
  junit: "junit.xml",
  markdown: "report.md",
  hgrm: "latency.hgrm",
  hlog: "latency.hlog",
  ndjson: "run.ndjson",
  recording: "recording.bearhug",
};

/**
 * The reporters that `--out KIND[=PATH]` asks for, in that order.
 * @throws {InvalidInput} with one sentence for each text that cannot be used
 */
export function createReporters(
  outs: readonly string[],
  inputs: readonly string[] = [],
  parts: ReportParts = {},
): Reporter[] {
  const problems = findOutProblems(outs, inputs);
  if (problems.length > 0) throw new InvalidInput(problems);
  const own = (parts.own ?? []).filter(({ name }) => outs.includes(name));
  const built = outs.filter(writesFile).map(parseOut);
  return [...built.flatMap((out) => (typeof out === "string" ? [] : [out.create(out.path, parts)])), ...own];
}

/** True for the path of a reporter of the user's own. */
export function isOwnReporter(text: string): boolean {
  return /^[^=]*\.(?:ts|mts|js|mjs)$/.test(text);
}

/** True for a report of bearhug's own that is written to a file. */
export function writesFile(text: string): boolean {
  return !isOwnReporter(text) && !isSink(text);
}

/** True for an `--out` that names a sink. */
function isSink(text: string): boolean {
  return sinkKinds.includes(text.split("=", 1)[0] ?? "");
}

/** True for an `--out` that only a single run can have: its recording, or what is told of it while it goes on. */
export function isOfRuns(text: string): boolean {
  return isRecording(text) || isNdjson(text) || isOwnReporter(text) || isSink(text);
}

/** The path of the stream that an `--out` asks for; null if none does. */
export function ndjsonPath(outs: readonly string[]): string | null {
  const text = outs.find(isNdjson);
  const out = text === undefined ? null : parseOut(text);
  return out === null || typeof out === "string" ? null : out.path;
}

function isNdjson(text: string): boolean {
  return /^ndjson(=|$)/.test(text);
}

/** True for a recording, which holds one run. */
export function isRecording(text: string): boolean {
  return /^recording(=|$)/.test(text);
}

/**
 * One sentence for each `--out` that cannot be used.
 * @param inputs the files that the command reads, which no report may replace
 */
export function findOutProblems(outs: readonly string[], inputs: readonly string[] = []): string[] {
  const own = outs.filter(isOwnReporter);
  const missing = own.filter((file) => !existsSync(file));
  const parsed = outs.filter(writesFile).map(parseOut);
  const usable = parsed.filter((out) => typeof out !== "string");
  return [
    ...missing.map((file) => `--out ${file}: there is no such file.`),
    ...parsed.filter((out) => typeof out === "string"),
    ...findCollisions(usable),
    ...outs
      .filter((text) => isNdjson(text) && isForStdout([text]))
      .map((text) => `--out ${text}: the stream is written to a file. Name one, such as /dev/stdout.`),
    ...outs
      .filter(isNdjson)
      .slice(1)
      .map((text) => `--out ${text}: a run has one stream. Leave out the others.`),
    ...usable.flatMap(({ text, path }) => {
      const why = whyNoPlace(path, inputs);
      return why === null ? [] : [`--out ${text}: ${why}`];
    }),
  ];
}

interface Out {
  /** The text of the option. */
  readonly text: string;
  readonly path: string;
  readonly create: Create;
}

/** Parses one `--out`; returns a sentence if it cannot be used. */
function parseOut(text: string): Out | string {
  const [, kind = "", path] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const create = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (create === undefined) return `--out ${text}: ${explainUnknown(kind)}`;
  const chosen = path ?? defaultPaths[kind] ?? "";
  if (chosen === "") return `--out ${text}: the path after = is empty. Write --out ${kind}=PATH.`;
  return { text, path: chosen, create };
}

function explainUnknown(kind: string): string {
  if (kind === "github")
    return "GitHub Actions needs no --out: its reports are written where GITHUB_ACTIONS=true.";
  const known = [...Object.keys(kinds), ...sinkKinds];
  const meant = closestName(kind, known);
  const hint = meant === undefined ? `Use ${knownKinds()}.` : `Did you mean ${meant}?`;
  return `no report is called "${kind}". ${hint}`;
}

function knownKinds(): string {
  const known = [...Object.keys(kinds), ...sinkKinds];
  return new Intl.ListFormat("en", { type: "disjunction" }).format(known);
}

/** Two reports in one file: the second would silently replace the first. */
function findCollisions(outs: readonly Out[]): string[] {
  const identities = outs.map(({ path }) => identityOf(path));
  const repeated = outs.filter((_, index) => identities.indexOf(identities[index] ?? "") !== index);
  const paths = new Set(repeated.map(({ path }) => (path === "-" ? "standard output" : resolve(path))));
  return [...paths].map((path) => `--out: two reports would be written to ${path}.`);
}
