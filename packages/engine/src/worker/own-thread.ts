let isClaimed = false;

/**
 * Marks this thread as one that only runs a worker and ends with it, so that its globals need no restoring.
 */
export function claimThread(): void {
  isClaimed = true;
}

/** False in the main thread, and in a thread of a program that embeds a run. */
export function isOwnThread(): boolean {
  return isClaimed;
}
