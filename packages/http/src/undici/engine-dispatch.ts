let isDispatching = false;

/** Dispatches a request of the engine, marked so that it is not taken for unmeasured traffic. */
export function dispatchAsEngine(dispatch: () => void): void {
  isDispatching = true;
  try {
    dispatch();
  } finally {
    isDispatching = false;
  }
}

/** Returns true while the engine dispatches a request to undici. */
export function isEngineDispatching(): boolean {
  return isDispatching;
}
