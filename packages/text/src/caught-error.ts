/** Returns the message of a caught value, which may be anything. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the code of a caught value, such as ENOENT; null without one. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && "code" in error ? String(error.code) : null;
}

/** Returns the result of a function; null if it throws. */
export function attempt<Result>(run: () => Result): Result | null {
  try {
    return run();
  } catch {
    return null;
  }
}
