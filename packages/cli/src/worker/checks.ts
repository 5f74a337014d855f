import type { Checks } from "@bearhug/sdk";

import type { Tags } from "../metrics/tags.ts";
import type { Vu } from "./vu.ts";

/** Counts each check as held or not; one that throws did not hold. */
export function runChecks<T>(vu: Vu, value: T, checks: Checks<T>, tags?: Tags): boolean {
  const place = vu.place().scope;
  const scope = tags === undefined ? place : place.with(tags);
  let allHeld = true;
  for (const [name, holds] of Object.entries(checks)) {
    const hasHeld = isHeld(() => holds(value));
    scope.check(name).add(hasHeld);
    allHeld &&= hasHeld;
  }
  return allHeld;
}

function isHeld(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
