import type { CapturedRequest, CapturedStep, CaptureModel, Omission } from "../capture-model.ts";
import { mapAtoms, mapRequests, requestsOf } from "../request/map-atoms.ts";
import type { ValuePart } from "../value.ts";
import type { KnownSecrets } from "./known-secrets.ts";
import { maskText } from "./mask-text.ts";

/** What a model says in words, without secrets: names of steps and extractions, hints, notes, addresses left out. */
export function cleanTexts(model: CaptureModel, known: KnownSecrets): CaptureModel {
  const clean = (text: string): string => maskText(text, known);
  const withHints = mapRequests(model, (request) => ({ ...request, hints: request.hints.map(clean) }));
  return renameExtractions(
    {
      ...model,
      steps: cleanStepNames(withHints.steps, clean),
      omissions: model.omissions.map((omission) => cleanOmission(omission, clean)),
      findings: model.findings.map(({ path, problem }) => ({ path: clean(path), problem: clean(problem) })),
      notes: model.notes.map(clean),
      variables: model.variables.map(({ name, description }) => ({ name, description: clean(description) })),
      tables: model.tables.map((table) => ({ ...table, rows: table.rows.map((row) => row.map(clean)) })),
    },
    clean,
  );
}

/** Names stay unique when what told them apart is masked. */
function cleanStepNames(steps: readonly CapturedStep[], clean: (text: string) => string): CapturedStep[] {
  const names = new Set(steps.map(({ name }) => name).filter((name) => clean(name) === name));
  return steps.map((step) => {
    const cleaned = clean(step.name);
    if (cleaned === step.name) return step;
    let name = cleaned;
    for (let count = 2; names.has(name); count++) name = `${cleaned} ${count}`;
    names.add(name);
    return { ...step, name };
  });
}

function cleanOmission(omission: Omission, clean: (text: string) => string): Omission {
  return {
    ...omission,
    method: clean(omission.method),
    url: clean(omission.url),
    host: clean(omission.host),
  };
}

/** An extraction whose name tells a secret gets one that tells nothing, wherever it is used. */
function renameExtractions(model: CaptureModel, clean: (text: string) => string): CaptureModel {
  const names = requestsOf(model).flatMap(({ extractions }) => extractions.map(({ name }) => name));
  const renamed = new Map<string, string>();
  for (const name of names.filter((one) => clean(one) !== one)) {
    let count = renamed.size + 1;
    while (names.includes(`extracted${count}`) || [...renamed.values()].includes(`extracted${count}`))
      count++;
    renamed.set(name, `extracted${count}`);
  }
  if (renamed.size === 0) return model;
  const rename = (part: ValuePart): ValuePart =>
    part.kind === "extracted" ? { ...part, name: renamed.get(part.name) ?? part.name } : part;
  const changed = mapAtoms(model, ({ value }) => value.map(rename));
  return {
    ...changed,
    ...mapRequests(changed, (request): CapturedRequest => ({
      ...request,
      extractions: request.extractions.map(({ name, from }) => ({ name: renamed.get(name) ?? name, from })),
    })),
  };
}
