import { atPosition } from "@bearhug/metrics/results/source-position";
import type { CheckResult } from "@bearhug/sdk";
import { formatCounted } from "@bearhug/text/number";

import { failure, type Ending, type Reason } from "./ending.ts";

/**
 * The most broken checks named; more are only counted. A response that is not JSON breaks every check that
 * reads it.
 */
const maxNamed = 3;

/**
 * Fails checks that threw every time. They do not measure the target: the check is broken, or its value is
 * missing.
 */
export function brokenChecks({ checks }: Ending): Reason[] {
  const broken = checks.filter(({ passes, fails, exception }) => passes === 0 && exception?.count === fails);
  const named = broken.slice(0, maxNamed).map((check) => failure(describe(check)));
  const more = broken.length - named.length;
  if (more <= 0) return named;
  return [...named, failure(`${formatCounted(more, "more check")} threw every time`)];
}

function describe({ name, scenario, page, group, fails, exception }: CheckResult): string {
  const steps = [...(group === null ? [] : [`group ${group}`]), ...(page === null ? [] : [`page ${page}`])];
  const place = [...steps, `scenario ${scenario}`].join(" of ");
  const times = fails === 1 ? "its only evaluation" : `all ${fails} evaluations`;
  return `check "${name}" in ${place} threw in ${times}${atPosition(exception?.source)}: ${exception?.message ?? ""}`;
}
