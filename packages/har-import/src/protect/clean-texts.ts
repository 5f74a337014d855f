import type { CapturedRequest, CapturedStep, CaptureModel, Omission } from "../capture-model.ts";
import { mapAtoms, mapRequests, requestsOf } from "../map-atoms.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import { masked, maskText } from "../secrets/mask-text.ts";
import { UniqueNames } from "../unique-names.ts";
import type { ValuePart } from "../value.ts";

/**
 * Removes secrets from the texts of a model: names of steps and extractions, hints, notes, omitted addresses.
 * `loginNames`, in lower case, are not secret, but no page is named after the recorded user.
 */
export function cleanTexts(
  model: CaptureModel,
  known: KnownSecrets,
  loginNames: ReadonlySet<string>,
): CaptureModel {
  const clean = (text: string): string => maskText(text, known);
  const withHints = mapRequests(model, (request) =>
    request.hints.length === 0 ? request : { ...request, hints: request.hints.map(clean) },
  );
  return renameExtractions(
    {
      ...model,
      steps: cleanStepNames(withHints.steps, (name) => hideWords(clean(name), loginNames)),
      omissions: model.omissions.map((omission) => cleanOmission(omission, clean)),
      findings: model.findings.map(({ path, problem }) => ({ path: clean(path), problem: clean(problem) })),
      notes: model.notes.map(clean),
      variables: model.variables.map((variable) => ({
        ...variable,
        description: clean(variable.description),
      })),
      tables: model.tables.map((table) => ({ ...table, rows: table.rows.map((row) => row.map(clean)) })),
    },
    clean,
  );
}

/** Keeps names unique after masking has removed what made them differ. */
function cleanStepNames(steps: readonly CapturedStep[], clean: (text: string) => string): CapturedStep[] {
  const cleaned = steps.map((step) => ({ step, name: clean(step.name) }));
  const kept = cleaned.filter(({ step, name }) => name === step.name);
  const names = new UniqueNames({ separator: " ", taken: kept.map(({ name }) => name) });
  return cleaned.map(({ step, name }) => (name === step.name ? step : { ...step, name: names.take(name) }));
}

/** Masks words of a step's name: the segments of its path, or the words of its title. */
function hideWords(name: string, hidden: ReadonlySet<string>): string {
  return name.replace(/[^\s/]+/g, (word) => (hidden.has(word.toLowerCase()) ? masked : word));
}

function cleanOmission(omission: Omission, clean: (text: string) => string): Omission {
  return {
    ...omission,
    method: clean(omission.method),
    url: clean(omission.url),
    host: clean(omission.host),
  };
}

/** Renames extractions whose names reveal a secret, wherever they are used. */
function renameExtractions(model: CaptureModel, clean: (text: string) => string): CaptureModel {
  const names = requestsOf(model).flatMap(({ extractions }) => extractions.map(({ name }) => name));
  const unique = new UniqueNames({ taken: names });
  const revealing = names.filter((name) => clean(name) !== name);
  const renamed = new Map(revealing.map((name) => [name, unique.take("extracted")] as const));
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
