import type { CapturedStep, CaptureModel } from "../capture-model.ts";
import { requestsOf } from "../map-atoms.ts";
import type { FileParts } from "./file-parts.ts";
import { type UnformattedSource, visitMark } from "./format-source.ts";
import { sdkFunctions } from "../identifiers.ts";
import { contentOf } from "./request-body.ts";
import { listOf, type NamedCode, objectOf, quoteText, writeComment } from "./quote-text.ts";
import { writeLine } from "./request-code.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { rowOf, writeVisit } from "./write-visit.ts";

/** How to write a test. */
export interface TestOptions {
  /** Format the source for people. @default true */
  readonly formatted?: boolean;
  /**
   * True for a test that also runs without credentials: variables that are not set are empty then. @default
   * false
   */
  readonly optionalVariables?: boolean;
  /** Page loads to start in a second. @default one visit, once */
  readonly pagesPerSecond?: number;
}

/** Connections to one HTTP/1.1 host that a VU has by default. */
const browserConnections = 6;

/** Writes a model as TypeScript, not formatted yet. */
export function writeSource(model: CaptureModel, parts: FileParts, options: TestOptions): UnformattedSource {
  const pieces = writeVisit(model, parts);
  const used = new Set(pieces.flatMap(usedNames));
  const lines = [
    writeOpening(model),
    writeImports(parts.vocabulary, used),
    ...writeConstants(parts, used),
    `export default defineTest(${writeDefinition(model, parts, used, options)});`,
  ];
  return { frame: `${lines.join("\n")}\n`, pieces };
}

/** Returns the names that code calls, or whose members it reads. Strings and comments do not count. */
function usedNames(code: string): string[] {
  const bare = code.replace(/\\./g, "").replace(/"[^"]*"|\/\/.*/g, "");
  return bare.match(/(?<![\w$]\.?)[\w$]+(?=[.([])/g) ?? [];
}

function writeOpening({ origin, notes }: CaptureModel): string {
  const sentences = [`Generated once from a capture of ${origin}.`, "Edit freely."];
  const together = writeComment(sentences.join(" "));
  const opening = together.trimEnd().includes("\n") ? sentences.map(writeComment).join("") : together;
  return (opening + notes.map(writeComment).join("")).trimEnd();
}

function writeImports({ tables }: Vocabulary, used: ReadonlySet<string>): string {
  const names = ["defineTest", ...sdkFunctions.filter((name) => used.has(name))];
  const data = Array.from(tables.values(), ({ identifier }) => {
    return `import ${identifier} from ${quoteText(`./data/${identifier}.json`)} with { type: "json" };`;
  });
  const node = used.has("contentOf") ? 'import { readFileSync } from "node:fs";\n\n' : "";
  return `${node}import { ${names.join(", ")} } from "@bearhug/sdk";\n${data.join("\n")}\n`;
}

function writeConstants({ vocabulary, headers }: FileParts, used: ReadonlySet<string>): string[] {
  const sets = Array.from(headers.constants.values(), ({ identifier, lines }) => {
    const members = lines.map((line) => [line.name, writeLine(line, vocabulary)] as const);
    return `const ${identifier} = ${objectOf(members)};\n`;
  });
  const long = Array.from(
    vocabulary.texts,
    ([text, identifier]) => `const ${identifier} = ${quoteText(text)};\n`,
  );
  return [
    ...sets,
    ...long,
    ...(used.has("contentOf") ? [`${contentOf}\n`] : []),
    ...(used.has("rowOf") ? [`${rowOf}\n`] : []),
  ];
}

/** Members of a scenario's context, in the order in which a test takes them. */
const contextMembers = ["http", "page", "group", "check", "think", "sleep", "env", "random", "iteration"];

function writeDefinition(
  model: CaptureModel,
  { headers }: FileParts,
  used: ReadonlySet<string>,
  { optionalVariables = false, pagesPerSecond }: TestOptions,
): string {
  const hosts = siteHosts(model);
  const http = writeHttpOptions(model, headers);
  const env = model.variables.map(({ name, description, isOptional, isPublic }) => {
    const members: NamedCode[] = [
      ...(isPublic === true ? [] : [["secret", "true"] as const]),
      ...(isOptional ? [["optional", "true"] as const] : []),
      ...(optionalVariables && !isOptional ? [["default", '""'] as const] : []),
      ["description", quoteText(description)],
    ];
    return [name, objectOf(members)] as const;
  });
  const members = contextMembers.filter((name) => used.has(name));
  const exec = `async ({ ${members.join(", ")} }) => {\n${visitMark}\n}`;
  const load = writeLoad(model, pagesPerSecond ?? null);
  return `{\n${[
    `name: ${quoteText(new URL(model.origin).host)}`,
    `baseUrl: ${quoteText(model.origin)}`,
    ...(hosts.length === 0 ? [] : [`siteHosts: ${listOf(hosts.map(quoteText))}`]),
    ...(http.length === 0 ? [] : [`http: { ${http.join(", ")} }`]),
    ...(env.length === 0 ? [] : [`env: {\n${objectOf(env).slice(1)}`]),
    `thresholds: ${writeThresholds(model, used.has("check"))}`,
    `scenarios: {\nvisitors: {\n${load}, exec: ${exec} } }`,
  ].join(",\n")}\n}`;
}

/** Writes the options of all requests. More connections help only if the target speaks HTTP/1.1. */
function writeHttpOptions(
  { connections, sendsOrigin }: CaptureModel,
  { defaults }: FileParts["headers"],
): string[] {
  const headers = objectOf(Array.from(defaults, ([name, text]) => [name, quoteText(text)] as const));
  const why = "The recording shows this many requests to one host at the same time, as HTTP/2 allows.";
  return [
    ...(connections <= browserConnections ? [] : [`\n${writeComment(why)}maxConnections: ${connections}`]),
    ...(sendsOrigin ? ["origin: true"] : []),
    ...(defaults.size === 0 ? [] : [`headers: ${headers}`]),
  ];
}

/**
 * Returns the hosts other than that of the base address. An entry without a port stands for any port of its
 * host.
 */
function siteHosts({ origin, hosts }: CaptureModel): string[] {
  const others = hosts.filter((host) => host !== origin).map((host) => new URL(host).host);
  return [...new Set(others)];
}

const minuteMs = 60_000;

/** Writes the load of a test: one VU, once; or a number of page loads per second. */
function writeLoad({ steps }: CaptureModel, pagesPerSecond: number | null): string {
  const lastsMs = steps.reduce((sum, step) => sum + (step.recordedMs ?? 0) + step.thinkAfterMs, 0);
  const minutes = Math.floor(lastsMs / minuteMs);
  if (pagesPerSecond === null) {
    // A long iteration must not be cut off by the default limit of ten minutes for a scenario.
    const bound = minutes < 5 ? "" : `, maxDuration: ${quoteText(`${2 * (minutes + 1)}m`)}`;
    return `executor: "shared-iterations", vus: 1, iterations: 1${bound}`;
  }
  const loads = countLoads(steps);
  const rate = `${pagesPerSecond} page ${pagesPerSecond === 1 ? "load" : "loads"} per second`;
  const comment = `${rate}: each iteration loads ${loads} pages, so ${pagesPerSecond} of them start every ${loads}s. The full rate is reached once the first iterations load their last page.`;
  return [
    `\n${writeComment(loads === 1 ? `${rate}.` : comment)}executor: "constant-arrival-rate"`,
    `rate: ${pagesPerSecond}`,
    `timeUnit: ${quoteText(`${loads}s`)}`,
    `duration: ${quoteText(`${minutes + 1}m`)}`,
  ].join(", ");
}

/** Returns the pages of an iteration. In a capture without pages, each step counts. */
function countLoads(steps: readonly CapturedStep[]): number {
  const pages = steps.filter(({ kind }) => kind === "page").length;
  return pages === 0 ? Math.max(1, steps.length) : pages;
}

/** The lowest bound of a threshold: a shorter time may be noise of the machine under test. */
const fastestMs = 500;

/** Writes thresholds as a starting point. */
function writeThresholds(model: CaptureModel, hasChecks: boolean): string {
  const { steps } = model;
  const requests = requestsOf(model);
  const sent = requests.reduce((sum, { redirectedTo }) => sum + 1 + redirectedTo.length, 0);
  const checks = requests.reduce(
    (sum, { landsOn, proofs }) => sum + (landsOn === null ? 1 : 2) + proofs.length,
    0,
  );
  const pages = steps.flatMap(({ kind, name, recordedMs }) => {
    if (kind !== "page" || recordedMs === null || !canBeSelected(name)) return [];
    const bound = Math.max(fastestMs, roundUp(2 * recordedMs));
    return [`${quoteText(`page_duration{page:${name}}`)}: [${quoteText(`p(95)<${bound}ms`)}]`];
  });
  const failures = [
    ...(hasChecks ? [`checks: ["rate>${toleratedPercent(checks).checks}%"]`] : []),
    `http_req_failed: ["rate<${toleratedPercent(sent).failures}%"]`,
    // The other metrics do not show a visit that ends early because a response lacks a value to extract.
    'iteration_failed: ["rate<1%"]',
  ];
  const thresholds = [
    ...afterComment("At most one failure in 20 visits, as a starting point.", failures),
    ...afterComment("Twice the recorded time, as a starting point.", pages),
  ];
  return `{ ${thresholds.join(", ")} }`;
}

function afterComment(comment: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? `\n// ${comment}\n${line}` : line));
}

/**
 * Returns the share of failures that a threshold tolerates: at most 1 %, and less than one request or check
 * that fails in 5 % of the visits. Otherwise an order that is refused in every fourth visit would pass, as
 * one of 30 requests.
 */
function toleratedPercent(count: number): { readonly failures: number; readonly checks: number } {
  const share = 5 / Math.max(count, 1);
  const unit = 10 ** Math.floor(Math.log10(share));
  const percent = share >= 1 ? 1 : Number((Math.floor(share / unit) * unit).toPrecision(1));
  return { failures: percent, checks: Number((100 - percent).toPrecision(12)) };
}

/** Returns true for a name that needs no escaping in a threshold's key. */
function canBeSelected(name: string): boolean {
  return /^[^\s\\,{}]+( [^\s\\,{}]+)*$/.test(name);
}

/** Rounds up to two significant digits. */
function roundUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / unit) * unit;
}
