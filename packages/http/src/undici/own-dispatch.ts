let isDispatching = false;

/** Hands a request of the engine's to undici, known to be no traffic around the engine while undici reports it. */
export function dispatchAsEngine(dispatch: () => void): void {
  isDispatching = true;
  try {
    dispatch();
  } finally {
    isDispatching = false;
  }
}

/** True while the engine hands a request to undici. */
export function isEngineDispatching(): boolean {
  return isDispatching;
}
