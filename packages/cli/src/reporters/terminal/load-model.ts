import type { TestResult } from "@bearhug/sdk";

type Executor = TestResult["plan"]["scenarios"][number]["executor"];

/** What decides how many iterations there are: a schedule, a count, or the time that they take. */
export function loadModelOf(executor: Executor): "scheduled" | "counted" | "looping" {
  switch (executor) {
    case "constant-arrival-rate":
    case "ramping-arrival-rate":
      return "scheduled";
    case "shared-iterations":
    case "per-vu-iterations":
      return "counted";
    case "constant-vus":
    case "ramping-vus":
      return "looping";
  }
}
