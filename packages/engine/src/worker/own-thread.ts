let isClaimed = false;

/** The thread is one of a run's workers and nothing else, and ends with its worker: nothing in it has to be left as it was. */
export function claimThread(): void {
  isClaimed = true;
}

/** False in the main thread, and in a thread of a program that runs a test as a guest. */
export function isOwnThread(): boolean {
  return isClaimed;
}
