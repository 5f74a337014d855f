import type { CaptureEntry, CapturePage } from "../capture.ts";
import type { PlannedVisit, Visit, VisitStep } from "../visit.ts";
import { connectionsRecorded } from "./connections.ts";
import {
  type Documents,
  findDocuments,
  splitAtDocuments,
  groupByPage,
  type PageGroup,
} from "./find-pages.ts";
import { LeftOut, splitSteps, type StepDraft } from "./split-steps.ts";
import { nameSteps } from "./name-steps.ts";
import { planWaves } from "./plan-waves.ts";
import { isTimed, type Span, spanOf } from "./timed-visit.ts";

/**
 * Returns the pages as the browser loaded them and what was done on them, in chronological order. A page
 * begins with its document; waves of requests follow. Expects visits in recorded order, redirects collapsed.
 *
 * @param others Entries that are left out: requests that they led to still belong to the page.
 */
export function planSteps(
  pages: readonly CapturePage[],
  visits: readonly Visit[],
  others: Iterable<CaptureEntry> = [],
): readonly VisitStep[] {
  const documents = findDocuments(visits);
  const leftOut = new LeftOut(others);
  const drafts = sortByStart(
    groupByPage(pages, visits).flatMap((group) => draftSteps(group, documents, leftOut)),
  );
  const connections = connectionsRecorded(visits);
  const names = nameSteps(drafts);
  const extents = drafts.map((draft) => extentOf(draft.visits));
  return drafts.map((draft, index) => ({
    kind: draft.documents > 0 ? "page" : "group",
    name: names[index] ?? "",
    waves: planWaves(draft, connections).map(({ afterMs, visits: wave }) => ({
      afterMs,
      visits: wave.map(({ visit, outlasts }): PlannedVisit => ({
        visit,
        outlasts,
        recorded: recordedIn(extents[index] ?? null, visit),
      })),
    })),
    recordedMs: recordedMsOf(draft),
    thinkAfterMs: thinkBetween(extents[index] ?? null, extents[index + 1] ?? null),
  }));
}

function draftSteps(group: PageGroup, documents: Documents, leftOut: LeftOut): StepDraft[] {
  const parts = splitAtDocuments(group.visits, documents);
  const shown = parts.filter(({ lead }) => lead.length > 0);
  // Recorders that write one page for a whole tab give it the tab's last title.
  const titled = shown.at(-1) ?? parts[0];
  const loadedAtMs = shown.length > 1 ? null : group.loadedAtMs;
  return parts.flatMap((part) =>
    splitSteps(part, part.lead.length > 0 ? loadedAtMs : null, leftOut).map((visits, index): StepDraft => ({
      documents: index === 0 ? part.lead.length : 0,
      title: index === 0 && part === titled ? group.title : "",
      visits,
    })),
  );
}

/** Sorts steps by their start; those without a date stay after the one before them. */
function sortByStart(drafts: readonly StepDraft[]): StepDraft[] {
  let latestMs = 0;
  return drafts
    .map((draft) => {
      latestMs = extentOf(draft.visits)?.startMs ?? latestMs;
      return { draft, startMs: latestMs };
    })
    .sort((left, right) => left.startMs - right.startMs)
    .map(({ draft }) => draft);
}

type Extent = Omit<Span, "busyMs">;

function extentOf(visits: readonly Visit[]): Extent | null {
  let startMs = Infinity;
  let endMs = -Infinity;
  for (const visit of visits) {
    const span = spanOf(visit);
    startMs = Math.min(startMs, span?.startMs ?? startMs);
    endMs = Math.max(endMs, span?.endMs ?? endMs);
  }
  return endMs < startMs ? null : { startMs, endMs };
}

/** Returns the duration of a step: that of its visits with times, if there are any. */
function recordedMsOf({ visits }: StepDraft): number | null {
  const extent = extentOf(visits.filter(isTimed));
  return extent === null ? null : Math.round(extent.endMs - extent.startMs);
}

function recordedIn(extent: Extent | null, visit: Visit): PlannedVisit["recorded"] {
  const span = spanOf(visit);
  if (extent === null || span === null || !isTimed(visit)) return null;
  return {
    startMs: Math.round(span.startMs - extent.startMs),
    endMs: Math.round(span.endMs - extent.startMs),
  };
}

/** A longer pause is not think time: the recording went on with another visit, or on another day. */
const longestThinkMs = 5 * 60_000;

function thinkBetween(step: Extent | null, next: Extent | null): number {
  const pauseMs = step === null || next === null ? 0 : Math.round(next.startMs - step.endMs);
  return pauseMs > longestThinkMs ? 0 : Math.max(0, pauseMs);
}
