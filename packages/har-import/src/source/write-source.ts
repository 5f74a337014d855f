import type { CaptureModel } from "../capture-model.ts";
import type { FileParts } from "./file-parts.ts";
import { objectOf, quoteText } from "./quote-text.ts";
import { writeLine } from "./request-code.ts";
import { endsAt, statusIs } from "./status-check.ts";
import type { UnformattedSource } from "./unformatted-source.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { writeComment } from "./write-comment.ts";
import { writeExec } from "./write-exec.ts";
import { writeLoad, writeThresholds } from "./write-scenario.ts";
import { rowOf } from "./write-step.ts";

/** How a test is to be written. */
export interface TestOptions {
  /** Whether people will read it. @default true */
  readonly formatted?: boolean;
  /** True for a test that runs without credentials too: variables that are not set are empty then. @default false */
  readonly optionalVariables?: boolean;
  /** Page loads to start in a second. @default one visit, once */
  readonly pagesPerSecond?: number;
}

/** To one host, on HTTP/1.1: what a visitor has by itself. */
const browserConnections = 6;

/** A model as TypeScript, not formatted yet. */
export function writeSource(model: CaptureModel, parts: FileParts, options: TestOptions): UnformattedSource {
  const { exec, pieces } = writeExec(model, parts);
  const lines = [
    ...writeOpening(model),
    writeImports(parts.vocabulary),
    ...writeConstants(parts),
    `export default defineTest(${writeDefinition(model, exec, parts, options)});`,
  ];
  return { frame: `${lines.join("\n")}\n`, pieces };
}

function writeOpening({ origin, notes }: CaptureModel): string[] {
  const sentences = [`Generated once from a capture of ${origin}.`, "Edit freely."];
  const together = writeComment(sentences.join(" "));
  const opening = together.trimEnd().includes("\n") ? sentences.map(writeComment).join("") : together;
  return [opening + notes.map(writeComment).join("")].map((comments) => comments.trimEnd());
}

function writeImports({ needs, tables }: Vocabulary): string {
  const names = [
    "defineTest",
    ...(["extract", "fromBase64"] as const).filter((name) => needs.has(name)),
    ...(needs.has("statusIs") ? ["type Response"] : []),
  ];
  const data = Array.from(tables.values(), ({ identifier }) => {
    return `import ${identifier} from ${quoteText(`./data/${identifier}.json`)} with { type: "json" };`;
  });
  return `import { ${names.join(", ")} } from "@bearhug/sdk";\n${data.join("\n")}\n`;
}

function writeConstants({ vocabulary, headers, texts }: FileParts): string[] {
  const sets = Array.from(headers.constants.values(), ({ identifier, lines }) => {
    const members = lines.map((line) => [line.name, writeLine(line, vocabulary)] as const);
    return `const ${identifier} = ${objectOf(members)};\n`;
  });
  const long = Array.from(texts, ([text, identifier]) => `const ${identifier} = ${quoteText(text)};\n`);
  const { needs } = vocabulary;
  return [
    ...sets,
    ...long,
    ...(needs.has("statusIs") ? [`${statusIs}\n`] : []),
    ...(needs.has("endsAt") ? [`${endsAt}\n`] : []),
    ...(needs.has("rowOf") ? [`${rowOf}\n`] : []),
  ];
}

function writeDefinition(
  model: CaptureModel,
  exec: string,
  { headers, vocabulary }: FileParts,
  { optionalVariables = false, pagesPerSecond }: TestOptions,
): string {
  const hosts = siteHosts(model);
  const http = writeHttpOptions(model, headers);
  const env = model.variables.map(({ name, description, isOptional }) => {
    const members = [
      ["secret", "true"],
      ...(isOptional ? [["optional", "true"]] : optionalVariables ? [["default", '""']] : []),
      ["description", quoteText(description)],
    ] as const;
    return [name, objectOf(members.map(([key = "", code = ""]) => [key, code] as const))] as const;
  });
  const load = writeLoad(model, pagesPerSecond ?? null);
  return `{\n${[
    `name: ${quoteText(new URL(model.origin).host)}`,
    `baseUrl: ${quoteText(model.origin)}`,
    ...(hosts.length === 0 ? [] : [`siteHosts: [${hosts.map(quoteText).join(", ")}]`]),
    ...(http.length === 0 ? [] : [`http: { ${http.join(", ")} }`]),
    ...(env.length === 0 ? [] : [`env: {\n${objectOf(env).slice(1)}`]),
    `thresholds: ${writeThresholds(model, vocabulary.needs.has("check"))}`,
    `scenarios: {\nvisitors: {\n${load}, exec: ${exec} } }`,
  ].join(",\n")}\n}`;
}

/** What holds for all requests. More connections are of use where the target speaks HTTP/1.1. */
function writeHttpOptions({ connections }: CaptureModel, { defaults }: FileParts["headers"]): string[] {
  const headers = objectOf(defaults.map(([name, text]) => [name, quoteText(text)] as const));
  const why =
    "The recording shows this many requests to one host at the same time, multiplexed over HTTP/2 or queued by the browser.";
  return [
    ...(connections <= browserConnections ? [] : [`\n${writeComment(why)}maxConnections: ${connections}`]),
    ...(defaults.length === 0 ? [] : [`headers: ${headers}`]),
  ];
}

/** Hosts besides that of the base address; an entry without a port is any port of its host. */
function siteHosts({ origin, hosts }: CaptureModel): string[] {
  const others = hosts.filter((host) => host !== origin).map((host) => new URL(host).host);
  return [...new Set(others)];
}
