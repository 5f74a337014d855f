import type { TestResult } from "@bearhug/sdk";
import type { OverloadResult } from "@bearhug/sdk/internal";

import type { OverloadLoad } from "../../protocol/overload-load.ts";
import { classifyOverload } from "./classify-overload.ts";
import { readSeconds } from "./read-seconds.ts";

/** How the target of a run that went past its rate took that. */
export function judgeOverload(
  result: Pick<TestResult, "intervals" | "generator">,
  load: OverloadLoad,
): OverloadResult {
  const overload = classifyOverload(load, readSeconds(result));
  if (result.generator.verdict !== "saturated") return overload;
  return {
    ...overload,
    kind: "unclear",
    because: "the load generator was saturated, so the figures may be its own",
  };
}
