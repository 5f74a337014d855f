import type { CapturedCookie, CapturedRequest, CapturedStep, CaptureModel } from "../capture-model.ts";
import type { FileParts } from "./file-parts.ts";
import { quoteText } from "./quote-text.ts";
import { freshText, valueExpression } from "./value-expression.ts";
import { extractedBy, partsOf, requestsOf, type Vocabulary } from "./vocabulary.ts";
import { type StepPlace, writeWave } from "./write-wave.ts";

/** Shorter pauses are not think time. */
const shortestThinkMs = 100;

/** Writes the visit as it was recorded, in pieces: whole statements. */
export function writeVisit({ cookies, steps, variables }: CaptureModel, parts: FileParts): string[] {
  const { vocabulary } = parts;
  const needed = steps.map((step) => extractedBy(requestsOf(step)));
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
  const requests = requestsOf(step);
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
