import type { CapturedRequest, CaptureModel } from "../capture-model.ts";

/** A request with its moment in the replay. */
export interface PlacedRequest {
  readonly request: CapturedRequest;
  /** Place in the order of sending, from 0. */
  readonly place: number;
  /** Number of its wave, counted through all steps. */
  readonly wave: number;
  /** The first wave whose requests can know its answer: a replay has waited for it then. */
  readonly knownFrom: number;
}

/** All requests in the order of sending. */
export function placeRequests({ steps }: CaptureModel): PlacedRequest[] {
  const placed: PlacedRequest[] = [];
  let wave = 0;
  for (const { waves } of steps) {
    const nextStep = wave + waves.length;
    for (const { requests } of waves) {
      for (const request of requests) {
        const knownFrom = request.outlasts ? nextStep : wave + 1;
        placed.push({ request, place: placed.length, wave, knownFrom });
      }
      wave++;
    }
  }
  return placed;
}
