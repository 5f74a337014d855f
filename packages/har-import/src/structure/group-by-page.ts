import type { CapturePage } from "../capture.ts";
import type { Visit } from "../visit.ts";

/** Requests of one page, in recorded order. */
export interface PageGroup {
  readonly title: string;
  /** Time of the browser's `load` event, in milliseconds since the epoch; null if it was not recorded. */
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
 * Groups requests by page, in the order of the file's pages. A request belongs to the page that it refers to;
 * if several have that id, to the one that was running. A page that the file does not declare (or no page at
 * all) becomes a page of its own, at the time of its request. A request that refers to no page belongs to the
 * one that was running. Pages without requests are dropped.
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
    addById(byId, group);
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

function addById(byId: Map<string, OpenGroup[]>, group: OpenGroup): void {
  if (group.id === null) return;
  const others = byId.get(group.id) ?? [];
  others.push(group);
  byId.set(group.id, others);
}

/** Returns the group that started last before the time; the first group if none did. */
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
  addById(byId, opened);
  return opened;
}
