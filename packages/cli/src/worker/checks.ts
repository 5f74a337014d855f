import type { Checks } from "@bearhug/sdk";

import type { Tags } from "../metrics/tags.ts";
import type { Vu } from "./vu.ts";

/** Counts each check as held or not; one that throws did not hold. */
export function runChecks<T>(vu: Vu, value: T, checks: Checks<T>, tags?: Tags): boolean {
  const place = vu.place().scope;
  const scope = tags === undefined ? place : place.with(tags);
  let allHeld = true;
  for (const [name, holds] of Object.entries(checks)) {
    const hasHeld = isHeld(name, holds, value);
    scope.check(name).add(hasHeld);
    allHeld &&= hasHeld;
  }
  return allHeld;
}

function isHeld<T>(name: string, holds: Checks<T>[string], value: T): boolean {
  const held = attempt(holds, value);
  if (held instanceof Promise) {
    held.catch(() => undefined);
    throw new TypeError(`check "${name}" is asynchronous: await what it needs first, and check the outcome.`);
  }
  return Boolean(held);
}

function attempt<T>(holds: (value: T) => unknown, value: T): unknown {
  try {
    return holds(value);
  } catch {
    return false;
  }
}
