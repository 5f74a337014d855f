import type { CapturedRequest, CapturedStep, CaptureModel, Omission } from "../capture-model.ts";
import { requestsOf, requestsOfStep } from "../map-atoms.ts";
import { printable } from "../printable.ts";
import { masked, maskSegment } from "../secrets/mask-text.ts";
import type { FindLeaks } from "../secrets/known-secrets.ts";
import { knownText } from "../value.ts";
import { captureOfAllWords } from "./capture-of-all-words.ts";
import { type FileParts, planParts } from "./file-parts.ts";
import { joinSource } from "./format-source.ts";
import { callOf, writeRequest } from "./request-code.ts";
import { type TestOptions, writeSource } from "./write-source.ts";

type Accept<T> = (value: T) => boolean;

/**
 * Leaves out the requests that cannot be written without a secret, and replaces or removes texts that contain
 * one.
 */
export function leaveOutLeaks(model: CaptureModel, findLeaks: FindLeaks): CaptureModel {
  const isClean: Accept<string> = (text) => findLeaks([text]).length === 0;
  const parts: FileParts = { ...planParts(model), headers: { defaults: new Map(), constants: new Map() } };
  const leftOut = new Set(
    requestsOf(model).filter((request) => !isClean(callOf(writeRequest(request, parts)))),
  );
  const kept = model.steps.map((step) => keepRequests(step, (request) => !leftOut.has(request), isClean));
  const omitted = Array.from(leftOut, (request) => omissionOf(request, isClean));
  const count = omitted.length;
  const what =
    count === 1
      ? "1 request was omitted: it has a secret"
      : `${count} requests were omitted: they have secrets`;
  const note = `${what} that cannot be replaced by a variable.`;
  const notes = count === 0 ? model.notes : [...model.notes, note, listOmitted(omitted)];
  return {
    ...model,
    steps: kept
      .map((step, index) => (isClean(step.name) ? step : { ...step, name: `step ${index + 1}` }))
      .filter((step) => requestsOfStep(step).length > 0),
    variables: model.variables.map((variable) =>
      isClean(variable.description) ? variable : { ...variable, description: "A secret from the capture." },
    ),
    omissions: [...model.omissions, ...omitted],
    notes: notes.filter(isClean),
  };
}

const maxListed = 5;

function listOmitted(omitted: readonly Omission[]): string {
  const shown = omitted.slice(0, maxListed).map(({ method, url }) => `${method} ${printable(url)}`);
  const more = omitted.length - shown.length;
  return `Omitted: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

/** Returns the omission of a request, with the parts of its address that contain no secret. */
function omissionOf(
  { entryIndex, method, origin, path }: CapturedRequest,
  isClean: Accept<string>,
): Omission {
  const segments = path.map(({ value }) => {
    const text = knownText(value) ?? masked;
    return isClean(text) ? maskSegment(encodeURIComponent(text)) : masked;
  });
  const url = `${origin}/${segments.join("/")}`;
  return {
    entryIndex,
    method: isClean(method) ? method : masked,
    url: isClean(url) ? url : `${origin}/${masked}`,
    host: new URL(origin).host,
    reason: "has a secret that no variable can replace",
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

/** Recognizes texts that every test contains: such a text does not reveal a password `shared-iterations`. */
export function findFixedWords(options: TestOptions): (text: string) => boolean {
  const source = joinLines(joinSource(writeSource(captureOfAllWords, planParts(captureOfAllWords), options)));
  return (text) => source.includes(joinLines(text));
}

/** Removes white space and comment signs, because the formatter decides where lines end. */
function joinLines(text: string): string {
  return text.replace(/(\s|\/\/ )+/g, "");
}
