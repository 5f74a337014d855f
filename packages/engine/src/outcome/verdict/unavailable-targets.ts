import { describeVariantOutage } from "@bearhug/metrics/comparison/outage";
import { formatCount } from "@bearhug/text/number";

import type { TargetCounts } from "../target-store.ts";
import { describeMostFrequent } from "./describe-cause.ts";
import { failure, note, endedEarly, type Ending, type Reason } from "./ending.ts";
import type { ScenarioOutcome } from "./scenario-outcomes.ts";
import type { TargetOutcome } from "./target-outcomes.ts";
import { placedScenario } from "./thrown-errors.ts";

/** Returns how to accept the failures; empty if a variant was down, because no option accepts that. */
function remedyFor(ending: Ending): string {
  return hasOutage(ending) ? "" : ". To accept that, use expectFailures: true or --expect-failures";
}

function hasOutage({ variants }: Ending): boolean {
  return variants?.variants.some(({ outage }) => outage !== undefined) === true;
}

/** Fails scenarios and hosts of which no request succeeded, while others did. */
export function neverSucceeded(ending: Ending): Reason[] {
  if (!hasAnySuccess(ending)) return [];
  const remedy = remedyFor(ending);
  return [
    ...ending.scenarios.filter(hasOnlyFailures).map((scenario) => {
      const cause = causeOf(ending, scenario.failedRequests, (error) => scenario.names.has(error.name));
      return failure(`no request of scenario ${placedScenario(scenario)} succeeded: ${cause}${remedy}`);
    }),
    ...silentHosts(ending).map(({ origin, failed }) => {
      const cause = causeOf(ending, failed, (error) => error.origin === origin);
      return failure(`no request to ${withoutScheme(origin)} succeeded: ${cause}${remedy}`);
    }),
  ];
}

/** Returns hosts of which no request succeeded, except where no request of any of their scenarios did. */
function silentHosts({ targets, scenarios }: Ending): Combined[] {
  const dead = new Set(scenarios.filter(hasOnlyFailures).map(({ name }) => name));
  return byOrigin(targets).filter(
    ({ origin, succeeded, scenarios: of }) =>
      origin !== null && succeeded === 0 && of.some((scenario) => !dead.has(scenario)),
  );
}

/**
 * Fails hosts and scenarios whose requests succeeded before, but not at the end: the run measured a target
 * that went away.
 */
export function goneAtEnd(ending: Ending): Reason[] {
  const remedy = remedyFor(ending);
  const { hosts, scenarios } = findGone(ending);
  return [
    ...hosts.map(({ origin, failedAtEnd }) => {
      const errors = ending.errors.filter(
        (error) => error.origin === origin || (origin === null && error.origin === undefined),
      );
      const cause = describeMostFrequent(errors, failedAtEnd);
      const who = origin === null ? "the target" : withoutScheme(origin);
      const end = `${describeEnd(failedAtEnd)}${cause === null ? "" : `; ${cause}`}`;
      return failure(`${who} was gone at the end: ${end}${remedy}`);
    }),
    ...scenarios.map(({ scenarios: [name = ""], failedAtEnd }) =>
      failure(`no request of scenario ${name} succeeded at the end: ${describeEnd(failedAtEnd)}${remedy}`),
    ),
  ];
}

/**
 * Returns scenarios that already have a message, because their target was down: always, at the end, or for a
 * variant.
 */
export function deadScenarios(ending: Ending): ReadonlySet<string> {
  if (hasOutage(ending)) return new Set(ending.scenarios.map(({ name }) => name));
  const { hosts, scenarios } = findGone(ending);
  return new Set([
    ...ending.scenarios.filter(hasOnlyFailures).map(({ name }) => name),
    ...[...silentHosts(ending), ...hosts, ...scenarios].flatMap((one) => one.scenarios),
  ]);
}

interface Gone {
  readonly hosts: readonly GoneTarget[];
  /** Scenarios that are gone although no single host of theirs is. */
  readonly scenarios: readonly GoneTarget[];
}

function findGone(ending: Ending): Gone {
  if (endedEarly(ending)) return { hosts: [], scenarios: [] };
  const hosts = byOrigin(ending.targets).filter(isGone);
  const explained = new Set(hosts.flatMap(({ scenarios }) => scenarios));
  const scenarios = byScenario(ending.targets)
    .filter(isGone)
    .filter((outcome) => outcome.scenarios.every((scenario) => !explained.has(scenario)));
  return { hosts, scenarios };
}

const maxNamed = 3;

/**
 * Notes names of which no request succeeded: in every total, other requests hide them. Names of a scenario or
 * host of which no request succeeded already have a message.
 */
export function namesThatNeverSucceeded(ending: Ending): Reason[] {
  if (!hasAnySuccess(ending)) return [];
  const explained = new Set(
    ending.scenarios
      .filter((one) => hasOnlyFailures(one) || one.expectsFailures)
      .flatMap(({ names }) => [...names]),
  );
  const silent = new Set(silentHosts(ending).map(({ origin }) => origin ?? undefined));
  const isExplained = (name: string): boolean => {
    const errors = ending.errors.filter((error) => error.name === name);
    return explained.has(name) || (errors.length > 0 && errors.every(({ origin }) => silent.has(origin)));
  };
  const rows = ending.accounting.requests.filter(
    ({ name, succeeded, failed }) => succeeded === 0 && failed > 0 && !isExplained(name),
  );
  const named = rows.slice(0, maxNamed).map(({ name, failed }) => {
    const what = failed === 1 ? "the only request failed" : `all ${formatCount(failed)} requests failed`;
    const cause = describeMostFrequent(
      ending.errors.filter((error) => error.name === name),
      failed,
    );
    return note(`${name}: ${what}${cause === null ? "" : ` with ${cause}`}`);
  });
  const more = rows.length - named.length;
  const others = more === 1 ? "1 other name" : `${formatCount(more)} other names`;
  return more <= 0 ? named : [...named, note(`no request of ${others} succeeded`)];
}

interface Combined extends Omit<TargetOutcome, "scenario"> {
  readonly scenarios: readonly string[];
}

interface GoneTarget extends Combined {
  readonly failedAtEnd: number;
}

function byOrigin(targets: readonly TargetOutcome[]): Combined[] {
  return combine(targets, ({ origin }) => origin);
}

function byScenario(targets: readonly TargetOutcome[]): Combined[] {
  return combine(targets, ({ scenario }) => scenario);
}

function combine(
  targets: readonly TargetOutcome[],
  keyOf: (target: TargetOutcome) => string | null,
): Combined[] {
  const combined = new Map<string | null, Combined>();
  for (const target of targets) {
    const { origin, scenario, succeeded, failed, failedAtEnd } = target;
    const known = combined.get(keyOf(target)) ?? { scenarios: [], succeeded: 0, failed: 0, failedAtEnd: 0 };
    const succeedsAtEnd = failedAtEnd === null || known.failedAtEnd === null;
    combined.set(keyOf(target), {
      origin,
      scenarios: [...known.scenarios, scenario],
      succeeded: known.succeeded + succeeded,
      failed: known.failed + failed,
      failedAtEnd: succeedsAtEnd ? null : known.failedAtEnd + failedAtEnd,
    });
  }
  return [...combined.values()];
}

/** Below this probability, chance is ruled out. */
const minChance = 1e-4;

function isGone(outcome: Combined): outcome is GoneTarget {
  const { succeeded, failed, failedAtEnd } = outcome;
  if (succeeded === 0 || failedAtEnd === null || failedAtEnd === 0) return false;
  return chanceOfFailures({ succeeded, failed: failed - failedAtEnd }, failedAtEnd) < minChance;
}

/**
 * Returns the probability that this many requests in a row fail by chance, given the earlier ones. It is the
 * posterior predictive of a beta-binomial with a uniform prior (Gelman et al., Bayesian Data Analysis, 2.3), so
 * that few requests prove little.
 */
function chanceOfFailures({ succeeded, failed }: TargetCounts, inARow: number): number {
  let chance = 1;
  for (let index = 0; index < inARow && chance >= minChance; index++)
    chance *= (failed + 1 + index) / (succeeded + failed + 2 + index);
  return chance;
}

function hasOnlyFailures({ requests, failedRequests, expectsFailures }: ScenarioOutcome): boolean {
  return !expectsFailures && failedRequests > 0 && failedRequests === requests;
}

function hasAnySuccess({ accounting }: Ending): boolean {
  return accounting.requests.some(({ succeeded }) => succeeded > 0);
}

function causeOf(
  { errors }: Ending,
  failed: number,
  matches: (error: Ending["errors"][number]) => boolean,
): string {
  return describeMostFrequent(errors.filter(matches), failed) ?? `${formatCount(failed)} failed`;
}

function describeEnd(failed: number): string {
  return failed === 1 ? "its last request failed" : `its last ${formatCount(failed)} requests failed`;
}

function withoutScheme(origin: string | null): string {
  return (origin ?? "").replace(/^https?:\/\//, "");
}

/** Fails variants that were down: their times do not show how fast they are. */
export function variantOutages({ variants }: Ending): Reason[] {
  if (variants === null) return [];
  return variants.variants.flatMap((variant) => {
    const message = describeVariantOutage(variant, variants);
    return message === null ? [] : [failure(message)];
  });
}
