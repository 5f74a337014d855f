import type { TestResult } from "@bearhug/sdk";

import { classifyOverload } from "./classify-overload.ts";
import type { OverloadLoad } from "./overload-load.ts";
import { readSeconds } from "./read-seconds.ts";

/** The result of a run that went past its rate, with how its target took that. */
export function judgeOverload(result: TestResult, load: OverloadLoad): TestResult {
  const overload = classifyOverload(load, readSeconds(result));
  if (result.generator.verdict !== "saturated") return { ...result, overload };
  const because = "the load generator was saturated, so the figures may be its own";
  return { ...result, overload: { ...overload, kind: "unclear", because } };
}
