import { types } from "node:util";

import type { Scope } from "@bearhug/metrics/scope";
import type { Tags } from "@bearhug/metrics/tags";
import { noteFault } from "@bearhug/plan/protocol/test-faults";
import { readProperty } from "@bearhug/plan/protocol/read-thrown";
import type { Checks } from "@bearhug/sdk";
import { describeValue } from "@bearhug/text/describe-value";

import type { Engine } from "./engine.ts";
import { serializeThrown } from "./stack-position.ts";
import { endsOnPurpose, noteUnhandledError } from "./unhandled-errors.ts";
import type { Vu } from "./vu.ts";

/**
 * Runs the checks and counts each as held or not. One that throws did not hold; its first exception is kept.
 * @throws {TypeError} for a promise that was not awaited, whose outcome is not known yet; and for an empty
 * set of checks
 */
export function runChecks<T>(engine: Engine, vu: Vu, value: T, checks: Checks<T>, tags?: Tags): boolean {
  const place = vu.place().scope;
  const scope = tags === undefined ? place : place.with(tags);
  if (isThenable(value)) {
    const names = Object.keys(checks).map((name) => JSON.stringify(name));
    const check = names.length === 0 ? "check" : `check ${names.join(", ")}`;
    noteRejection(engine, scope, check, value);
    throw new TypeError(`${check} got a promise: await the request first, and check its response.`);
  }
  rejectMissingChecks(checks);
  let allHeld = true;
  // V8 caches the keys with the object's shape; `Object.entries` would allocate pairs on each call.
  for (const name of Object.keys(checks)) {
    const hasPassed = runCheck(engine, scope, name, checks, value);
    scope.check(name).add(hasPassed);
    engine.tracer?.checked({ name, hasPassed, tags: scope.tags }, engine.mask);
    allHeld &&= hasPassed;
  }
  return allHeld;
}

/** @throws {TypeError} if there are no named checks, because an empty set would always hold */
function rejectMissingChecks(checks: unknown): void {
  const how =
    'give an object of named checks, such as { "status is 200": (response) => response.status === 200 }';
  if (typeof checks !== "object" || checks === null || Array.isArray(checks))
    throw noteFault(new TypeError(`check got ${describeValue(checks)} in place of checks: ${how}.`));
  for (const name in checks) if (Object.hasOwn(checks, name)) return;
  throw noteFault(new TypeError(`check got an object without checks: ${how}.`));
}

function runCheck<T>(engine: Engine, scope: Scope, name: string, checks: Checks<T>, value: T): boolean {
  let held: unknown;
  try {
    const holds = checks[name];
    if (holds === undefined) throw new TypeError("The check is undefined: give true, false or a function.");
    held = typeof holds === "function" ? holds(value) : holds;
  } catch (error) {
    scope.checkThrew(name, () => ({
      ...serializeThrown(error, engine.bundlePath, engine.mask),
      firstAtMs: Math.max(0, engine.clock.now() - engine.startedAtMs),
    }));
    return false;
  }
  if (!isThenable(held)) return Boolean(held);
  const check = `check ${JSON.stringify(name)}`;
  noteRejection(engine, scope, check, held);
  throw new TypeError(
    `${check} returned a promise, as an async function does: await what it needs first, then check the result.`,
  );
}

function isThenable(value: unknown): boolean {
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") &&
    typeof readProperty(value, "then") === "function"
  );
}

/** Reports a rejection of the promise as the check's, because nothing else handles it. */
function noteRejection(engine: Engine, scope: Scope, check: string, promise: unknown): void {
  if (!types.isPromise(promise)) return;
  promise.then(undefined, (error: unknown) => {
    if (endsOnPurpose(error)) return;
    const what = `the promise of ${check} was rejected`;
    noteUnhandledError(engine, error, {
      code: "UNHANDLED_REJECTION",
      name: scope.tags["scenario"] ?? "",
      what,
    });
  });
}
