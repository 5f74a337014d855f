let isClaimed = false;

/**
 * Marks this thread as one that only runs a worker and ends with it, so that its globals need no restoring.
 */
export function claimThread(): void {
  isClaimed = true;
}

/** True in a thread that only runs a worker; false in the main thread and in a program that embeds a run. */
export function isOwnThread(): boolean {
  return isClaimed;
}
