import type { CapturedStep, CaptureModel } from "../capture-model.ts";
import type { Capture } from "../capture.ts";
import type { Selection } from "../select/select-entries.ts";
import type { PlannedVisit, VisitStep } from "../visit.ts";
import { noteMissingBodies } from "./missing-bodies.ts";
import { noteMissingSession } from "./note-missing-session.ts";
import { connectionsNeeded } from "../structure/connections-needed.ts";
import { KnownAtoms } from "./known-atoms.ts";
import { findOwnCookies } from "./own-cookies.ts";
import { toRequest } from "./to-request.ts";

/** A model in which everything is as recorded, secrets included: what later stages work on. */
export function draftModel(
  { findings }: Capture,
  { kept, omissions, notes }: Selection,
  origin: string,
  steps: readonly VisitStep[],
): CaptureModel {
  const planned = steps.flatMap(({ waves }) => waves.flatMap(({ visits }) => visits));
  const visits = planned.map(({ visit }) => visit);
  const known = new KnownAtoms();
  return {
    origin,
    hosts: [...new Set(kept.map(({ url }) => url.origin))],
    steps: steps.map((step) => draftStep(step, known)),
    connections: connectionsNeeded(steps),
    cookies: findOwnCookies(visits),
    variables: [],
    tables: [],
    omissions,
    findings,
    notes: [...notes, ...noteMissingSession(visits), ...noteMissingBodies(visits)],
  };
}

function draftStep({ waves, ...step }: VisitStep, known: KnownAtoms): CapturedStep {
  return {
    ...step,
    waves: waves.map(({ afterMs, visits }) => ({
      afterMs,
      requests: visits.map((planned) => draftRequest(planned, known)),
    })),
  };
}

function draftRequest(
  { visit, outlasts, recorded }: PlannedVisit,
  known: KnownAtoms,
): ReturnType<typeof toRequest> {
  return { ...toRequest(visit, known), outlasts, recorded };
}
