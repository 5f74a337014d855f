import type { CapturedRequest, CapturedStep } from "../capture-model.ts";
import type { FileParts } from "./file-parts.ts";
import { quoteText } from "./quote-text.ts";
import { extractedBy, partsOf, requestsOf } from "./request-values.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { type StepPlace, writeWave } from "./write-wave.ts";
import { writeDuration } from "./write-time.ts";

/** Shorter pauses are added to the next one: a page has many, and each would be a line. */
const shortestSleepMs = 10;

/** A page or group; `later` are the extractions that steps after it use: it hands them out. */
export function writeStep(step: CapturedStep, later: ReadonlySet<string>, parts: FileParts): string {
  const { vocabulary } = parts;
  const requests = requestsOf(step);
  const own = extractedBy(requests);
  const place: StepPlace = {
    parts,
    names: vocabulary.identifiers.inner(),
    wanted: new Set([...own, ...later]),
  };
  const handedOut = requests.flatMap(({ extractions }) =>
    extractions.flatMap(({ name }) => (later.has(name) ? [vocabulary.extracted.get(name) ?? ""] : [])),
  );
  const result = `{ ${handedOut.join(", ")} }`;
  vocabulary.needs.add(step.kind);
  return [
    `${handedOut.length === 0 ? "" : `const ${result} = `}await ${step.kind}(${quoteText(step.name)}, async () => {`,
    ...writeRows(requests, vocabulary),
    writeWaves(step, own, place),
    ...(handedOut.length === 0 ? [] : [`return ${result};`]),
    "});",
  ].join("\n");
}

function writeWaves(step: CapturedStep, own: ReadonlySet<string>, place: StepPlace): string {
  const { needs } = place.parts.vocabulary;
  const waves: string[] = [];
  const atEnd: string[] = [];
  let pauseMs = 0;
  for (const wave of step.waves) {
    const statements: string[] = [];
    pauseMs += wave.afterMs;
    if (pauseMs >= shortestSleepMs) {
      needs.add("sleep");
      statements.push(`await sleep(${quoteText(writeDuration(pauseMs))});`);
      pauseMs = 0;
    }
    const requests = wave.requests.map((request) => settleBeforeUse(request, own));
    const code = writeWave({ ...wave, requests }, place);
    waves.push([...statements, ...code.statements].join("\n"));
    atEnd.push(...code.atEnd);
  }
  if (step.waves.length > 0) needs.add("http");
  return [...waves, atEnd.join("\n")].join("\n\n");
}

/** What the step itself uses must have been answered before. */
function settleBeforeUse(request: CapturedRequest, own: ReadonlySet<string>): CapturedRequest {
  const isUsed = request.extractions.some(({ name }) => own.has(name));
  return request.outlasts && isUsed ? { ...request, outlasts: false } : request;
}

/** The rows of data that a step takes. Each iteration begins one row further. */
function writeRows(requests: readonly CapturedRequest[], { tables, needs }: Vocabulary): string[] {
  const taken = new Map<string, string>();
  for (const part of partsOf(requests)) {
    if (part.kind !== "column") continue;
    const words = tables.get(part.table);
    const row = words?.rows.get(part.row);
    if (words === undefined || row === undefined) continue;
    const index = part.row === 0 ? "iteration.index" : `iteration.index + ${part.row}`;
    taken.set(row, `const ${row} = rowOf(${words.identifier}, ${index});`);
  }
  if (taken.size > 0) needs.add("iteration").add("rowOf");
  return [...taken.values()];
}

/** TypeScript wants to be told what happens when there is no row. */
export const rowOf = `/** The data row for this occurrence. Wraps around after the last row. */
function rowOf<Row>(rows: readonly Row[], index: number): Row {
  const row = rows[index % rows.length];
  if (row === undefined) throw new Error("The data file has no rows.");
  return row;
}`;
