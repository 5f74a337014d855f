import type { CapturedRequest, CapturedStep, CaptureModel } from "../capture-model.ts";
import type { FindLeaks } from "../secrets/known-secrets.ts";
import { type FileParts, planParts } from "./file-parts.ts";
import { callOf, writeRequest } from "./request-code.ts";

type Accept<T> = (value: T) => boolean;

/** A model without the requests that cannot be written without a secret, and without words that have one in them. */
export function leaveOutLeaks(model: CaptureModel, findLeaks: FindLeaks): CaptureModel {
  const isClean: Accept<string> = (text) => findLeaks([text]).length === 0;
  const parts: FileParts = { ...planParts(model), headers: { defaults: [], constants: new Map() } };
  const canBeWritten: Accept<CapturedRequest> = (request) => isClean(callOf(writeRequest(request, parts)));
  const kept = model.steps.map((step) => keepRequests(step, canBeWritten, isClean));
  const count = countRequests(model.steps) - countRequests(kept);
  const what =
    count === 1
      ? "1 request was omitted: it has a secret"
      : `${count} requests were omitted: they have secrets`;
  const note = `${what} that cannot be replaced by a variable.`;
  const notes = count === 0 ? model.notes : [...model.notes, note];
  return {
    ...model,
    steps: kept
      .map((step, index) => (isClean(step.name) ? step : { ...step, name: `step ${index + 1}` }))
      .filter((step) => countRequests([step]) > 0),
    variables: model.variables.map((variable) =>
      isClean(variable.description) ? variable : { ...variable, description: "A secret from the capture." },
    ),
    notes: notes.filter(isClean),
  };
}

function keepRequests(
  step: CapturedStep,
  canBeWritten: Accept<CapturedRequest>,
  isClean: Accept<string>,
): CapturedStep {
  const waves = step.waves.map((wave) => ({
    ...wave,
    requests: wave.requests
      .filter(canBeWritten)
      .map((request) => ({ ...request, hints: request.hints.filter(isClean) })),
  }));
  return { ...step, waves };
}

function countRequests(steps: readonly CapturedStep[]): number {
  return steps.reduce((sum, { waves }) => sum + waves.flatMap(({ requests }) => requests).length, 0);
}
