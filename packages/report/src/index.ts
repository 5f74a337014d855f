import { existsSync } from "node:fs";
import { resolve } from "node:path";

import { InvalidInput, type TestResult } from "@bearhug/sdk";
import { didYouMean, oneOf } from "@bearhug/text/closest-name";
import { printableJson } from "@bearhug/text/printable";

import { identityOf } from "./file-output/file-identity.ts";
import type { Content } from "./file-output/stage-file.ts";
import { renderIntervalLog } from "./hdr/interval-log.ts";
import { renderPercentileText } from "./hdr/percentile-text.ts";
import { renderJunit } from "./junit/render-junit.ts";
import { renderMarkdown } from "./markdown/render-markdown.ts";
import { createFileReporter, writesToStdout, whyPathUnusable } from "./write-report.ts";
import type { Reporter } from "./reporter.ts";

/** Sources of a report besides the result. */
export interface ReportSources {
  /** Reads the recording of the run, once it has ended; absent if the run has none. */
  readonly recording?: () => Promise<AsyncIterable<Uint8Array>>;
  /** Writes the NDJSON stream during the run. */
  readonly ndjson?: Reporter | null;
  /** The user's own reporters, each named after the file in its `--out`. */
  readonly own?: readonly Reporter[];
}

/** The commands that support more than reports of results, and their names in sentences. */
const commandNames = { run: "bearhug run", bench: "<url>", "ab-test": "ab-test", capacity: "capacity" };

/** A command that supports more than reports of results. */
type LiveCommand = keyof typeof commandNames;

/** The commands of single runs. */
const singleRuns: readonly LiveCommand[] = ["run", "bench", "ab-test"];
/** The commands that support the user's own reporters. */
const ownReporterCommands: readonly LiveCommand[] = [...singleRuns, "capacity"];

/** A kind of output that `--out` can name. */
interface OutKind {
  /** The path if none is given; null for a sink, which receives metrics during a run and is no file. */
  readonly path: string | null;
  /** The only commands that support it; null for a kind that is rendered from any result. */
  readonly onlyOf: readonly LiveCommand[] | null;
  /** Renders the file once the run has ended; null if other code writes during the run. */
  readonly render: ((result: TestResult, sources: ReportSources) => Content | Promise<Content>) | null;
}

/**
 * Every kind of output, in the order in which help lists them. Rarely used renderers are imported on first
 * use.
 */
const kinds: Readonly<Record<string, OutKind>> = {
  html: {
    path: "report.html",
    onlyOf: null,
    render: async (result) => (await import("./html/render-html.ts")).renderHtml(result),
  },
  json: {
    path: "result.json",
    onlyOf: null,
    render: (result) => `${printableJson(result, 2)}\n`,
  },
  junit: { path: "junit.xml", onlyOf: null, render: renderJunit },
  csv: {
    path: "result.csv",
    onlyOf: null,
    render: async (result) => (await import("./csv.ts")).renderCsv(result),
  },
  ndjson: { path: "run.ndjson", onlyOf: singleRuns, render: null },
  markdown: { path: "report.md", onlyOf: null, render: renderMarkdown },
  hgrm: { path: "latency.hgrm", onlyOf: null, render: renderPercentileText },
  hlog: { path: "latency.hlog", onlyOf: null, render: renderIntervalLog },
  recording: {
    path: "recording.bearhug",
    onlyOf: singleRuns,
    render: (_result, { recording }) => {
      if (recording === undefined) throw new TypeError("only a run has a recording");
      return recording();
    },
  },
  otlp: { path: null, onlyOf: singleRuns, render: null },
  prometheus: { path: null, onlyOf: singleRuns, render: null },
};

const resultKinds = namesWhere(({ onlyOf }) => onlyOf === null);
const runKinds = namesWhere(({ path, onlyOf }) => onlyOf !== null && path !== null);
const sinks = namesWhere(({ path }) => path === null);

/**
 * The reports that are rendered from a result, and so work for several runs or machines too, as text for
 * help.
 */
export const reportsOfResults: string = oneOf(resultKinds);

/** Everything that a single run can write, as text for help. */
export const reportsOfRuns: string = [
  ...resultKinds,
  ...runKinds,
  `or a file with your own; or send metrics: ${sinks.join(", ")}`,
].join(", ");

function namesWhere(isWanted: (kind: OutKind) => boolean): string[] {
  return Object.entries(kinds).flatMap(([name, kind]) => (isWanted(kind) ? [name] : []));
}

/**
 * Creates the reporters that `--out KIND[=PATH]` requests: built-in ones in that order, then the user's own.
 * @throws {InvalidInput} with one sentence for each `--out` that cannot be used
 */
export function createReporters(
  outs: readonly string[],
  inputs: readonly string[] = [],
  sources: ReportSources = {},
): Reporter[] {
  const problems = findOutProblems(outs, inputs);
  if (problems.length > 0) throw new InvalidInput(problems);
  const own = (sources.own ?? []).filter(({ name }) => outs.includes(name));
  const built = outs.filter(writesFile).map(parseOut);
  return [...built.flatMap((out) => (typeof out === "string" ? [] : [createReporter(out, sources)])), ...own];
}

function createReporter({ name, path, render }: Out, sources: ReportSources): Reporter {
  const { ndjson = null } = sources;
  if (render !== null) return createFileReporter(name, path, (result) => render(result, sources));
  if (ndjson === null) throw new TypeError("only a run is streamed");
  return ndjson;
}

/** True if an `--out` names the file of a user's own reporter. */
export function isOwnReporter(text: string): boolean {
  return /^[^=]*\.(?:ts|mts|js|mjs)$/.test(text);
}

/** True if an `--out` is for a built-in report, which is written to a file. */
export function writesFile(text: string): boolean {
  return !isOwnReporter(text) && !isSink(text);
}

/** Returns the kind of an `--out`: `json` for `json=PATH`. */
export function outKindOf(text: string): string {
  return text.split("=", 1)[0] ?? "";
}

function findKind(text: string): OutKind | undefined {
  const name = outKindOf(text);
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}

function isSink(text: string): boolean {
  return findKind(text)?.path === null;
}

function isNdjson(text: string): boolean {
  return outKindOf(text) === "ndjson";
}

/**
 * Returns one sentence for each `--out` that only other commands support, because it needs the run while it
 * lasts. `command` is null for a command that supports reports of results alone.
 */
export function findLiveOutProblems(outs: readonly string[], command: LiveCommand | null = null): string[] {
  return outs.flatMap((text) => {
    const onlyOf = isOwnReporter(text) ? ownReporterCommands : (findKind(text)?.onlyOf ?? null);
    if (onlyOf === null || (command !== null && onlyOf.includes(command))) return [];
    const names = new Intl.ListFormat("en").format(onlyOf.map((one) => commandNames[one]));
    return [`--out ${text}: only ${names} support it.`];
  });
}

/** Returns the path of the NDJSON stream that an `--out` requests; null if none does. */
export function ndjsonPath(outs: readonly string[]): string | null {
  const text = outs.find(isNdjson);
  const out = text === undefined ? null : parseOut(text);
  return out === null || typeof out === "string" ? null : out.path;
}

/**
 * Returns one sentence for each `--out` that cannot be used.
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
      .filter((text) => isNdjson(text) && writesToStdout([text]))
      .map((text) => `--out ${text}: the stream is written to a file. Name one, such as /dev/stdout.`),
    ...outs
      .filter(isNdjson)
      .slice(1)
      .map((text) => `--out ${text}: a run has one stream. Leave out the others.`),
    ...usable.flatMap(({ text, path }) => {
      const why = whyPathUnusable(path, inputs);
      return why === null ? [] : [`--out ${text}: ${why}`];
    }),
  ];
}

interface Out extends Pick<OutKind, "render"> {
  /** The text of the option. */
  readonly text: string;
  /** The name of its kind. */
  readonly name: string;
  readonly path: string;
}

/** Parses one `--out` of a file; returns a sentence if it cannot be used. */
function parseOut(text: string): Out | string {
  const name = outKindOf(text);
  const kind = findKind(text);
  if (kind === undefined) return `--out ${text}: ${explainUnknown(name)}`;
  const path = text === name ? (kind.path ?? "") : text.slice(name.length + 1);
  if (path === "") return `--out ${text}: the path after = is empty. Write --out ${name}=PATH.`;
  return { text, name, path, render: kind.render };
}

function explainUnknown(name: string): string {
  if (name === "github")
    return "GitHub Actions needs no --out: its reports are written where GITHUB_ACTIONS=true.";
  const known = Object.keys(kinds);
  const all = new Intl.ListFormat("en", { type: "disjunction" }).format(known);
  return `no report is called "${name}". ${didYouMean(name, known, `Use ${all}.`)}`;
}

/** Reports two outputs to the same file: the second would silently replace the first. */
function findCollisions(outs: readonly Out[]): string[] {
  const identities = outs.map(({ path }) => identityOf(path));
  const repeated = outs.filter((_, index) => identities.indexOf(identities[index] ?? "") !== index);
  const paths = new Set(repeated.map(({ path }) => (path === "-" ? "standard output" : resolve(path))));
  return [...paths].map((path) => `--out: two reports would be written to ${path}.`);
}
