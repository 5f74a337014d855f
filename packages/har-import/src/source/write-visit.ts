import type {
  CapturedCookie,
  CapturedRequest,
  CapturedStep,
  CaptureModel,
  SessionProof,
  Wave,
} from "../capture-model.ts";
import type { Identifiers } from "../identifiers.ts";
import { requestsOfStep } from "../map-atoms.ts";
import { knownText } from "../value.ts";
import type { FileParts } from "./file-parts.ts";
import { quoteText, writeComment } from "./quote-text.ts";
import { freshText, valueExpression } from "./value-expression.ts";
import { extractedBy, partsOf, type Vocabulary } from "./vocabulary.ts";
import {
  type CheckedRequest,
  expectedStatuses,
  readCookie,
  writeCheck,
  writeExtractions,
  batchItemOf,
  callOf,
  type RequestCode,
  writeRequest,
} from "./request-code.ts";

/** Shorter pauses are not think time. */
const shortestThinkMs = 100;

/** Writes the visit as it was recorded, in pieces: whole statements. */
export function writeVisit({ cookies, steps, variables }: CaptureModel, parts: FileParts): string[] {
  const { vocabulary } = parts;
  const needed = steps.map((step) => extractedBy(requestsOfStep(step)));
  const later: ReadonlySet<string>[] = [];
  let afterwards: ReadonlySet<string> = new Set<string>();
  for (const used of needed.toReversed()) {
    later.push(afterwards);
    if (used.size > 0) afterwards = new Set([...afterwards, ...used]);
  }
  later.reverse();
  const optional = new Set(variables.filter(({ isOptional }) => isOptional).map(({ name }) => name));
  const opening = [
    ...cookies.map((cookie) => writeCookie(cookie, optional, vocabulary)),
    ...Array.from(vocabulary.fresh.values(), ({ identifier, part }) => {
      return `const ${identifier} = ${freshText(part.what)};`;
    }),
  ];
  const visit = steps.map((step, index) => {
    const code = writeStep(step, later[index] ?? new Set(), parts);
    return index === steps.length - 1 ? code : code + writeThink(step);
  });
  return opening.length === 0 ? visit : [opening.join("\n"), ...visit];
}

function writeThink({ thinkAfterMs }: CapturedStep): string {
  if (thinkAfterMs < shortestThinkMs) return "";
  return `\n\nawait think(${quoteText(writeDuration(thinkAfterMs))});`;
}

/**
 * Writes a cookie that the browser had before. It is not set if an optional variable of its value is empty.
 */
function writeCookie(
  { name, origin, value }: CapturedCookie,
  optional: ReadonlySet<string>,
  vocabulary: Vocabulary,
): string {
  const options = [
    ...(origin === vocabulary.origin ? [] : [`url: ${quoteText(origin)}`]),
    // Browsers accept such names for secure cookies only.
    ...(/^__(Host|Secure)-/i.test(name) ? ["secure: true"] : []),
  ];
  const optionsCode = options.length === 0 ? "" : `, { ${options.join(", ")} }`;
  const set = `http.cookies.set(${quoteText(name)}, ${valueExpression(value, vocabulary)}${optionsCode});`;
  const needed = value.flatMap((part) => (part.kind === "variable" && optional.has(part.name) ? [part] : []));
  if (needed.length === 0) return set;
  return `if (${needed.map((part) => valueExpression([part], vocabulary)).join(" && ")}) ${set}`;
}

/** Shorter pauses are added to the next one: a page has many, and each would be a line. */
const shortestSleepMs = 10;

/** Writes a page or group. It returns the extractions that later steps use (`later`). */
function writeStep(step: CapturedStep, later: ReadonlySet<string>, parts: FileParts): string {
  const { vocabulary } = parts;
  const requests = requestsOfStep(step);
  const own = extractedBy(requests);
  const place: StepPlace = {
    parts,
    names: vocabulary.identifiers.inner(),
    own,
    wanted: new Set([...own, ...later]),
  };
  const returned = requests.flatMap(({ extractions }) =>
    extractions.flatMap(({ name }) => (later.has(name) ? [vocabulary.extracted.get(name) ?? ""] : [])),
  );
  const result = `{ ${returned.join(", ")} }`;
  return [
    `${returned.length === 0 ? "" : `const ${result} = `}await ${step.kind}(${quoteText(step.name)}, async () => {`,
    ...writeRows(requests, vocabulary),
    writeWaves(step, place),
    ...(returned.length === 0 ? [] : [`return ${result};`]),
    "});",
  ].join("\n");
}

function writeWaves(step: CapturedStep, place: StepPlace): string {
  const waves: string[] = [];
  const atEnd: string[] = [];
  let pauseMs = 0;
  for (const wave of step.waves) {
    const statements: string[] = [];
    pauseMs += wave.afterMs;
    if (pauseMs >= shortestSleepMs) {
      statements.push(`await sleep(${quoteText(writeDuration(pauseMs))});`);
      pauseMs = 0;
    }
    const code = writeWave(wave, place);
    waves.push([...statements, ...code.statements].join("\n"));
    atEnd.push(...code.atEnd);
  }
  return [...waves, atEnd.join("\n")].join("\n\n");
}

/** Writes the rows of data that a step uses. Each iteration begins one row further. */
function writeRows(requests: readonly CapturedRequest[], { tables }: Vocabulary): string[] {
  const taken = new Map<string, string>();
  for (const part of partsOf(requests)) {
    if (part.kind !== "column") continue;
    const words = tables.get(part.table);
    const row = words?.rows.get(part.row);
    if (words === undefined || row === undefined) continue;
    const index = part.row === 0 ? "iteration.index" : `iteration.index + ${part.row}`;
    taken.set(row, `const ${row} = rowOf(${words.identifier}, ${index});`);
  }
  return [...taken.values()];
}

/** The code of a function that returns a row. TypeScript requires it to handle a missing one. */
export const rowOf = `/** The data row for this occurrence. Wraps around after the last row. */
function rowOf<Row>(rows: readonly Row[], index: number): Row {
  const row = rows[index % rows.length];
  if (row === undefined) throw new Error("The data file has no rows.");
  return row;
}`;

/** Writes a duration as tests do: in whole milliseconds, from a second on in tenths of seconds. */
function writeDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)}ms`;
  return `${Math.round(milliseconds / 100) / 10}s`;
}

/** The context of a wave: its file, the names of its step, and the extractions that are used. */
interface StepPlace {
  readonly parts: FileParts;
  readonly names: Identifiers;
  /** Extractions that the step itself uses. */
  readonly own: ReadonlySet<string>;
  /** Extractions that some request uses. */
  readonly wanted: ReadonlySet<string>;
}

/**
 * The code of a wave. `atEnd` comes at the end of its step, where requests that outlast their wave are
 * awaited.
 */
interface WaveCode {
  readonly statements: readonly string[];
  readonly atEnd: readonly string[];
}

/** A request with everything that is written for it. */
interface Sent extends CheckedRequest {
  readonly code: RequestCode;
  /** True if its response needs a name, because values are extracted from it. */
  readonly isNamed: boolean;
}

/** In a batch of at most this many requests, each response has a name if one has. */
const mostNamed = 5;

function writeWave({ requests }: Wave, place: StepPlace): WaveCode {
  const statuses = new Set(requests.map(({ recordedStatus }) => recordedStatus));
  const all = requests.map((request): Sent => {
    const isNamed = request.extractions.some(({ name }) => place.wanted.has(name));
    return {
      request,
      code: writeRequest(request, place.parts),
      expected: expectedStatuses(request, statuses),
      isNamed,
      before: replacedCookie(request) === null ? null : place.names.take("earlierSession"),
    };
  });
  const before = all.flatMap((sent) => writeBefore(sent, place));
  const outlasting = all.filter((sent) => outlastsWaves(sent, place));
  const awaited = all.filter((sent) => !outlastsWaves(sent, place));
  const started = outlasting.map((sent) => start([sent], place));
  const rest = writeAwaited(awaited, place);
  return {
    statements: [...before, ...started.map(({ statement }) => statement), ...rest],
    atEnd: started.flatMap(({ finish }) => finish),
  };
}

/** Returns true if the waves do not wait for a request. They do if the step itself uses its response. */
function outlastsWaves({ request }: Sent, { own }: StepPlace): boolean {
  return request.outlasts && !request.extractions.some(({ name }) => own.has(name));
}

function writeAwaited(all: readonly Sent[], place: StepPlace): string[] {
  const [only, ...others] = all;
  if (only === undefined) return [];
  if (others.length === 0) return writeSingle(only, place);
  const groups = groupAlike(all);
  const [group = [], ...otherGroups] = groups;
  if (otherGroups.length === 0 && group.length > 1)
    return finishBatch(`await ${batchOf(group)}`, group, place);
  return all.length <= mostNamed ? writeNamed(all, place) : writeGroups(groups, place);
}

/** Returns the cookie of a session that a login replaces by another one. */
function replacedCookie({ proofs }: CapturedRequest): SessionProof | null {
  return proofs.filter((proof) => proof.kind === "session").find(({ isReplaced }) => isReplaced) ?? null;
}

/** Writes code that keeps the cookie which a login replaces. */
function writeBefore({ request, before, expected }: Sent, { parts }: StepPlace): string[] {
  const replaced = replacedCookie(request);
  const isChecked = replaced !== null && before !== null && expected !== null;
  return isChecked ? [`const ${before} = ${readCookie(replaced, parts.vocabulary)};`] : [];
}

/** Writes one request that is awaited at once. */
function writeSingle(sent: Sent, place: StepPlace): string[] {
  const { request, code, expected, isNamed } = sent;
  const [hints, call] = [hintsOf(sent), callOf(code)];
  if (expected === null && !isNamed) return [`${hints}await ${call};`];
  const isShort = code.options.every(([name]) => name === "headers" || name === "expect");
  if (!isNamed && isShort) {
    return writeCheck(`await ${call}`, sent, place.parts.vocabulary).map((check) => hints + check);
  }
  const name = place.names.take(responseName(request));
  return [`${hints}const ${name} = await ${call};`, ...finish(name, sent, place)];
}

/** Writes a few requests, each with a name for its response. */
function writeNamed(all: readonly Sent[], place: StepPlace): string[] {
  const names = all.map(({ request, expected, isNamed }) =>
    expected === null && !isNamed ? "" : place.names.take(responseName(request)),
  );
  const used = names.slice(0, names.findLastIndex((name) => name !== "") + 1);
  return [
    `const [${used.join(", ")}] = await ${batchOf(all)};`,
    ...all.flatMap((sent, index) => finish(names[index] ?? "", sent, place)),
  ];
}

/**
 * Writes many requests: those that differ from most start on their own, and are checked once most have a
 * response.
 */
function writeGroups(groups: readonly (readonly Sent[])[], place: StepPlace): string[] {
  const largest = groups.reduce((best, group) => (group.length > best.length ? group : best));
  const others = groups.filter((group) => group !== largest).map((group) => start(group, place));
  const [only, ...more] = largest;
  const main =
    only !== undefined && more.length === 0
      ? writeSingle(only, place)
      : finishBatch(`await ${batchOf(largest)}`, largest, place);
  return [...others.map(({ statement }) => statement), ...main, ...others.flatMap(({ finish }) => finish)];
}

/** Writes requests that start here and are awaited later. */
function start(group: readonly Sent[], place: StepPlace): { statement: string; finish: string[] } {
  const [first, ...others] = group;
  if (first === undefined) return { statement: "", finish: [] };
  const word = responseName(first.request);
  const name = place.names.take(word === unnamed ? "request" : word);
  if (others.length > 0) {
    return {
      statement: `const ${name} = ${batchOf(group)};`,
      finish: finishBatch(`await ${name}`, group, place),
    };
  }
  const statement = `${hintsOf(first)}const ${name} = ${callOf(first.code)};`;
  if (!first.isNamed) {
    const check = writeCheck(`await ${name}`, first, place.parts.vocabulary);
    return { statement, finish: check.length === 0 ? [`await ${name};`] : check };
  }
  const response = place.names.take(word === unnamed ? word : `${name}Response`);
  return { statement, finish: [`const ${response} = await ${name};`, ...finish(response, first, place)] };
}

/** Writes the check and the extractions of a named response. */
function finish(name: string, sent: Sent, { parts: { vocabulary }, wanted }: StepPlace): string[] {
  const extractions = sent.request.extractions.filter((extraction) => wanted.has(extraction.name));
  return [...writeCheck(name, sent, vocabulary), ...writeExtractions(name, extractions, vocabulary)];
}

/** Writes one check for all responses of a batch. */
function finishBatch(responses: string, [first]: readonly Sent[], place: StepPlace): string[] {
  const name = place.names.inner().take("response");
  const check = first === undefined ? [] : writeCheck(name, first, place.parts.vocabulary);
  return check.length === 0 ? [`${responses};`] : [`for (const ${name} of ${responses}) {`, ...check, "}"];
}

function batchOf(all: readonly Sent[]): string {
  const items = all.map((sent) => `${hintsOf(sent)}${batchItemOf(sent.code)}`);
  return `http.batch([\n${items.join(",\n")}\n])`;
}

function hintsOf({ request }: Sent): string {
  return request.hints.map(writeComment).join("");
}

/** Groups requests whose responses are checked alike. A request with extractions stays alone. */
function groupAlike(all: readonly Sent[]): Sent[][] {
  const groups = Map.groupBy(all, ({ request, expected, isNamed }) => {
    const { entryIndex, landsOn, proofs } = request;
    const isAlone = isNamed || landsOn !== null || proofs.some(({ kind }) => kind === "session");
    return isAlone ? `entry ${entryIndex}` : JSON.stringify([expected, proofs]);
  });
  return [...groups.values()];
}

/** The name of a response whose request has no word in its path. */
const unnamed = "response";

/** Returns a name for the response of a request: the last word of its path. */
export function responseName({ path }: CapturedRequest): string {
  for (const { value } of path.toReversed()) {
    const text = knownText(value) ?? "";
    const word = text
      .slice(0, 200)
      .replace(/\.[^.]*$/, "")
      .replace(/[^A-Za-z0-9]+/g, " ")
      .trim();
    if (/[A-Za-z]{2}/.test(word) && word.length <= 30 && !/\d{4}/.test(word)) return word;
  }
  return path.every(({ value }) => value.length === 0) ? "home" : unnamed;
}
