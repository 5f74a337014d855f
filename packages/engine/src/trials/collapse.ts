/** Below this share of successes, a trial has collapsed: its target may be down, or only overloaded. */
export const minGoodShare = 0.05;

/** A load that was tried. */
export interface TriedLoad {
  readonly load: number;
  /** True if almost nothing of it succeeded. */
  readonly hasCollapsed: boolean;
}

/**
 * Returns the load to retry after a trial that collapsed, to see if the target is down or only overloaded: the
 * lowest that was served. Null if no retry is needed.
 */
export function loadToRetry(tried: readonly TriedLoad[]): number | null {
  const last = tried.at(-1);
  const lowest = lowestServed(tried);
  return last?.hasCollapsed === true && last.load > lowest ? lowest : null;
}

/** True if the last trial collapsed at a load that was served before. */
export function isTargetDown(tried: readonly TriedLoad[]): boolean {
  const last = tried.at(-1);
  const lowest = lowestServed(tried);
  return last?.hasCollapsed === true && last.load <= lowest && lowest < Infinity;
}

/** Returns the lowest load that was served; Infinity if none was. */
function lowestServed(tried: readonly TriedLoad[]): number {
  return Math.min(...tried.filter(({ hasCollapsed }) => !hasCollapsed).map(({ load }) => load));
}
