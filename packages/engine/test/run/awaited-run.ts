import { onTestFinished } from "vitest";

import { runTest as start } from "../../../cli/src/index.ts";

/**
 * Starts a run that the test waits for before it ends, so that even a test that timed out does not disturb
 * the next one.
 */
export const runTest: typeof start = async (...args) => {
  const running = start(...args);
  onTestFinished(async () => {
    await Promise.allSettled([running]);
  });
  return running;
};
