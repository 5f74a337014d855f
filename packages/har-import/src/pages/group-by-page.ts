import type { CapturePage } from "../capture.ts";
import type { Visit } from "../visit.ts";

/** Requests of one page, in recorded order. */
export interface PageGroup {
  readonly title: string;
  readonly visits: readonly Visit[];
}

interface OpenGroup {
  readonly id: string | null;
  readonly title: string;
  readonly startedAtMs: number | null;
  readonly visits: Visit[];
}

/**
 * Requests by page. Pages keep the file's order. A request belongs to the page it points to; of several with
 * that id, to the one that was running. A page that only requests know (or no page at all) becomes one of its own,
 * at its time; a request that points nowhere belongs to the page that was running. Pages without requests go.
 */
export function groupByPage(pages: readonly CapturePage[], visits: readonly Visit[]): PageGroup[] {
  const groups: OpenGroup[] = pages.map(({ id, title, startedAtMs }) => ({
    id,
    title,
    startedAtMs,
    visits: [],
  }));
  for (const visit of visits) {
    const { pageRef } = visit.entry;
    const candidates = pageRef === null ? groups : groups.filter(({ id }) => id === pageRef);
    const group = findRunning(candidates, visit.atMs) ?? openGroup(groups, visit);
    group.visits.push(visit);
  }
  return groups.filter((group) => group.visits.length > 0);
}

/** The group that started last before the time; the first one when none did. */
function findRunning(groups: readonly OpenGroup[], atMs: number | null): OpenGroup | undefined {
  let running: OpenGroup | undefined;
  for (const group of groups) {
    if (group.startedAtMs === null || atMs === null || group.startedAtMs > atMs) continue;
    if (running === undefined || group.startedAtMs >= (running.startedAtMs ?? 0)) running = group;
  }
  return running ?? groups[0];
}

/** Adds a page that the file does not declare, before the first page that started later. */
function openGroup(groups: OpenGroup[], { entry, atMs }: Visit): OpenGroup {
  const opened: OpenGroup = { id: entry.pageRef, title: "", startedAtMs: atMs, visits: [] };
  const later = groups.findIndex(
    ({ startedAtMs }) => startedAtMs !== null && atMs !== null && startedAtMs > atMs,
  );
  groups.splice(later < 0 ? groups.length : later, 0, opened);
  return opened;
}
