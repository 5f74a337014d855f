import type { CapturePage } from "../capture.ts";
import type { Visit } from "../visit.ts";

/** Requests of one page, in recorded order. */
export interface PageGroup {
  readonly title: string;
  /** When the browser said that the page was loaded, in milliseconds since the epoch; null where it did not. */
  readonly loadedAtMs: number | null;
  readonly visits: readonly Visit[];
}

interface OpenGroup {
  readonly page: CapturePage | null;
  readonly id: string | null;
  readonly startedAtMs: number | null;
  readonly visits: Visit[];
}

/**
 * Requests by page. Pages keep the file's order. A request belongs to the page it points to; of several with
 * that id, to the one that was running. A page that only requests know (or no page at all) becomes one of its own,
 * at its time; a request that points nowhere belongs to the page that was running. Pages without requests go.
 */
export function groupByPage(pages: readonly CapturePage[], visits: readonly Visit[]): PageGroup[] {
  const groups = pages.map((page): OpenGroup => ({
    page,
    id: page.id,
    startedAtMs: page.startedAtMs,
    visits: [],
  }));
  const byId = new Map<string, OpenGroup[]>();
  let latestMs = -Infinity;
  for (const group of groups) {
    remember(byId, group);
    latestMs = Math.max(latestMs, group.startedAtMs ?? latestMs);
  }
  for (const visit of visits) {
    const { pageRef } = visit.entry;
    const candidates = pageRef === null ? groups : (byId.get(pageRef) ?? []);
    const group = findRunning(candidates, visit.atMs) ?? openGroup(groups, byId, visit, latestMs);
    latestMs = Math.max(latestMs, group.startedAtMs ?? latestMs);
    group.visits.push(visit);
  }
  return groups
    .filter((group) => group.visits.length > 0)
    .map(({ page, visits: own }) => ({ title: page?.title ?? "", loadedAtMs: loadedAt(page), visits: own }));
}

function loadedAt(page: CapturePage | null): number | null {
  const { startedAtMs = null, loadedAfterMs = null } = page ?? {};
  return startedAtMs === null || loadedAfterMs === null ? null : startedAtMs + loadedAfterMs;
}

function remember(byId: Map<string, OpenGroup[]>, group: OpenGroup): void {
  if (group.id === null) return;
  const others = byId.get(group.id) ?? [];
  others.push(group);
  byId.set(group.id, others);
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

/** Adds a page that the file does not declare, before the first page that started later; none started after `latestMs`. */
function openGroup(
  groups: OpenGroup[],
  byId: Map<string, OpenGroup[]>,
  { entry, atMs }: Visit,
  latestMs: number,
): OpenGroup {
  const opened: OpenGroup = { page: null, id: entry.pageRef, startedAtMs: atMs, visits: [] };
  const isLatest = atMs === null || latestMs <= atMs;
  const later = isLatest
    ? -1
    : groups.findIndex(({ startedAtMs }) => startedAtMs !== null && startedAtMs > atMs);
  groups.splice(later < 0 ? groups.length : later, 0, opened);
  remember(byId, opened);
  return opened;
}
