import type { CaptureModel } from "../capture-model.ts";
import { findLeaks } from "../secrets/find-leaks.ts";
import { planParts } from "./file-parts.ts";
import { callOf, writeRequest } from "./request-code.ts";

/** A model without the requests that cannot be written without a secret. */
export function leaveOutLeaks(model: CaptureModel, redacted: readonly string[]): CaptureModel {
  const parts = planParts(model);
  let count = 0;
  const steps = model.steps.map((step) => ({
    ...step,
    waves: step.waves.map((wave) => ({
      ...wave,
      requests: wave.requests.filter((request) => {
        const code = callOf(
          writeRequest(request, { ...parts, headers: { defaults: [], constants: new Map() } }),
        );
        const isClean = findLeaks([code], redacted).length === 0;
        if (!isClean) count++;
        return isClean;
      }),
    })),
  }));
  const note = `${count} of the requests ${count === 1 ? "is" : "are"} not written here: a secret stands in a place where it cannot be told from the rest.`;
  return {
    ...model,
    steps: steps.filter(hasRequests),
    notes: count === 0 ? model.notes : [...model.notes, note],
  };
}

function hasRequests({ waves }: CaptureModel["steps"][number]): boolean {
  return waves.some(({ requests }) => requests.length > 0);
}
