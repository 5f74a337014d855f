import type { Visit } from "../visit.ts";
import { joinPolls } from "./join-polls.ts";
import { isCall } from "./request-kind.ts";
import type { DocumentPart } from "./split-at-documents.ts";
import { type Span, spanOf } from "./span.ts";

/** So long nothing happens before what follows is taken for something new. */
const idleMs = 500;
/** A call that follows so soon on the end of others is the work of a script, not of a person. */
const followUpMs = 100;
/** What a person does on a page mostly changes something; what a page asks for as it loads does not. */
const changing = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * The load of a document, and then what was done on it: each list is a step. Calls that wait for the end of a load begin
 * a step of their own; files that come late (an icon, a picture scrolled to) belong to the load for half a second. Where
 * nobody says when the load ended, a call that changes something is taken for a click once all else is answered.
 */
export function splitSteps({ lead, rest }: DocumentPart, saidLoadedAtMs: number | null): Visit[][] {
  let step = [...lead];
  const steps = [step];
  let isLoad = lead.length > 0;
  let quietAtMs = lead.reduce((latest, visit) => Math.max(latest, spanOf(visit)?.endMs ?? 0), 0);
  // No page is loaded before its document is.
  const loadedAtMs = saidLoadedAtMs !== null && saidLoadedAtMs >= quietAtMs ? saidLoadedAtMs : null;
  for (const visit of rest) {
    const span = spanOf(visit);
    if (step.length > 0 && beginsStep(visit, span, { quietAtMs, isLoad, loadedAtMs })) {
      step = [];
      steps.push(step);
      isLoad = false;
    }
    step.push(visit);
    quietAtMs = Math.max(quietAtMs, span?.endMs ?? 0);
  }
  const isLoaded = lead.length > 0;
  const done = joinPolls(isLoaded ? steps.slice(1) : steps);
  return [...(isLoaded ? steps.slice(0, 1) : []), ...done].filter((visits) => visits.length > 0);
}

interface Situation {
  /** The last end of what was requested so far. */
  readonly quietAtMs: number;
  readonly isLoad: boolean;
  readonly loadedAtMs: number | null;
}

function beginsStep(visit: Visit, span: Span | null, { quietAtMs, isLoad, loadedAtMs }: Situation): boolean {
  if (span === null || span.startMs < quietAtMs) return false;
  const idleSinceMs = span.startMs - quietAtMs;
  if (idleSinceMs >= idleMs) return true;
  if (loadedAtMs === null)
    return idleSinceMs > followUpMs && changing.has(visit.entry.request.method.toUpperCase());
  if (!isCall(visit)) return false;
  return isLoad ? span.startMs > loadedAtMs : idleSinceMs > followUpMs;
}
