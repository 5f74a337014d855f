import { detachedText } from "@bearhug/text/detached-text";

import type { CapturedRequest, CapturedStep, CaptureModel, Wave } from "../capture-model.ts";
import { mapEach } from "../map-atoms.ts";
import { isDistinctive } from "../secrets/random-text.ts";
import type { Uses, PlacedRequest } from "./uses.ts";

/** The requests whose responses each request has to wait for. */
export type Waits = ReadonlyMap<CapturedRequest, ReadonlySet<CapturedRequest>>;

/**
 * Finds values that a request sends although, by the recorded times, it did not wait for the response that
 * has them: the plan may then send the request too early.
 */
export class Overlaps {
  /** The requests whose responses have a value, by value. */
  readonly #suppliers = new Map<string, Set<PlacedRequest>>();
  readonly #uses: Uses;

  constructor(uses: Uses) {
    this.#uses = uses;
  }

  /** Notes that a response has a value, if a request sends it without waiting for that response. */
  note(value: string, by: PlacedRequest): void {
    const known = this.#suppliers.get(value);
    if (known !== undefined) known.add(by);
    else if (this.#isSentWithoutWaiting(value, by) && isDistinctive(value))
      this.#suppliers.set(detachedText(value), new Set([by]));
  }

  #isSentWithoutWaiting(value: string, by: PlacedRequest): boolean {
    return this.#uses.get(value)?.some((use) => isOverlapping(by, use.by)) ?? false;
  }

  /**
   * Returns the requests that have to wait: only one response had a value of theirs, and no earlier request
   * sent it.
   */
  waits(): Waits {
    const waits = new Map<CapturedRequest, Set<CapturedRequest>>();
    for (const [value, suppliers] of this.#suppliers) {
      const [by, ...others] = suppliers;
      const uses = this.#uses.get(value) ?? [];
      if (by === undefined || others.length > 0 || uses.some((use) => use.by.place <= by.place)) continue;
      for (const use of uses) {
        if (!isOverlapping(by, use.by)) continue;
        const earlier = waits.get(use.by.request) ?? new Set();
        waits.set(use.by.request, earlier.add(by.request));
      }
    }
    return waits;
  }
}

/** Returns true if the later request is sent before the response to the earlier one is known. */
function isOverlapping(earlier: PlacedRequest, later: PlacedRequest): boolean {
  return later.place > earlier.place && later.wave < earlier.knownFrom;
}

/**
 * Returns a model in which requests wait for the responses that they need. The order of sending stays, so
 * there is no cycle.
 */
export function orderWaves(model: CaptureModel, waits: Waits): CaptureModel {
  const awaited = new Set([...waits.values()].flatMap((requests) => [...requests]));
  const keepAwaited = (request: CapturedRequest): CapturedRequest =>
    request.outlasts && awaited.has(request) ? { ...request, outlasts: false } : request;
  const orderStep = (step: CapturedStep): CapturedStep => ({
    ...step,
    waves: step.waves
      .flatMap((wave) => splitWave(wave, waits))
      .map((wave) => ({ ...wave, requests: mapEach(wave.requests, keepAwaited) })),
  });
  return { ...model, steps: model.steps.map(orderStep) };
}

/** Splits a wave: a request that waits for another one in it begins a new wave. */
function splitWave({ afterMs, requests }: Wave, waits: Waits): Wave[] {
  const groups: CapturedRequest[][] = [[]];
  for (const request of requests) {
    const current = groups.at(-1) ?? [];
    const before = waits.get(request);
    if (before !== undefined && current.some((earlier) => before.has(earlier))) groups.push([request]);
    else current.push(request);
  }
  return groups.map((group, index) => ({ afterMs: index === 0 ? afterMs : 0, requests: group }));
}
