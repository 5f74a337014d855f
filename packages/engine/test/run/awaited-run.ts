import { onTestFinished } from "vitest";

import { runTest as start } from "../../../cli/src/index.ts";

/** A test that is given up leaves no run behind, which would be in the way of the next. */
export const runTest: typeof start = async (...given) => {
  const running = start(...given);
  onTestFinished(async () => {
    await Promise.allSettled([running]);
  });
  return running;
};
