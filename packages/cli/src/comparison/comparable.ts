import type { TestResult } from "@bearhug/sdk";

/** The differences between runs that `--allow` accepts. */
export const allowances = ["target", "load", "test", "generator", "ending", "machine"] as const;

export type Allowance = (typeof allowances)[number];

/** One run, and the name by which people know it. */
export interface NamedRun {
  readonly name: string;
  readonly result: TestResult;
  /** The side of a run whose targets took turns; absent for a run of one side. */
  readonly variant?: string;
  /** The target of that side. */
  readonly target?: string;
}

/** The name of the run that just ended, and is in no file yet. */
export const thisRun = "this run";

/** One sentence for each reason not to compare these runs, unless it is allowed. */
export function findIncomparable(runs: readonly NamedRun[], allowed: ReadonlySet<Allowance>): string[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  const isRefused = (allowance: Allowance): boolean => !allowed.has(allowance);
  const differing = others.flatMap((other) => [
    ...(isRefused("target") ? differentTargets(first, other) : []),
    ...(isRefused("load") ? differentLoads(first, other) : []),
    ...(isRefused("test") ? differentTests(first, other) : []),
  ]);
  const unfit = runs.flatMap((run) => [
    ...ofSeveralLoads(run),
    ...(isRefused("generator") ? saturated(run) : []),
    ...(isRefused("ending") ? endedEarly(run) : []),
  ]);
  return [...new Set([...unfit, ...differing])];
}

/** One sentence for each difference of the machines that makes times differ, too. */
export function findOtherMachines(runs: readonly NamedRun[]): string[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  const told = others.flatMap((other) => {
    const [one, two] = [first.result.environment, other.result.environment];
    if (one.cpu !== undefined && two.cpu !== undefined && one.cpu !== two.cpu)
      return [`${first.name} ran on ${one.cpu}, ${other.name} on ${two.cpu}. ${otherMachines}`];
    if (one.cores !== two.cores)
      return [`${first.name} ran on ${one.cores} cores, ${other.name} on ${two.cores}. ${otherMachines}`];
    return [];
  });
  return told.slice(0, 1);
}

const otherMachines = "Times of different machines cannot be compared.";

function anyway(allowance: Allowance): string {
  return `To compare anyway, add --allow ${allowance}.`;
}

function differentTargets(one: NamedRun, other: NamedRun): string[] {
  const [first, second] = [one.result.test.target, other.result.test.target];
  if (first === second) return [];
  const told = (run: NamedRun, target: string | null): string =>
    `${run.name} loaded ${target ?? "no fixed target"}`;
  return [`${told(one, first)}, ${told(other, second)}. ${anyway("target")}`];
}

function differentLoads(one: NamedRun, other: NamedRun): string[] {
  const [first, second] = [loadOf(one.result), loadOf(other.result)];
  if (first === second) return [];
  return [`The load differs: ${one.name} had ${first}; ${other.name} had ${second}. ${anyway("load")}`];
}

function loadOf({ plan, variants }: TestResult): string {
  const scenarios = plan.scenarios.map(({ name, description, transport }) => {
    return `${name} (${description}${transport === "bearhug" ? "" : `, ${transport}`})`;
  });
  const warmup = plan.warmupMs === 0 ? [] : [`${plan.warmupMs / 1000} s of warm-up`];
  const turns = (variants?.variants ?? []).map(({ name }) => `variant ${name}`);
  return [...scenarios, ...warmup, ...turns].join(", ") || "no scenario";
}

function differentTests(one: NamedRun, other: NamedRun): string[] {
  const [first, second] = [one.result.test, other.result.test];
  const names = `${one.name} and ${other.name}`;
  if (first.name !== second.name)
    return [`${names} are of different tests: ${first.name}, ${second.name}. ${anyway("test")}`];
  const isSame =
    first.fingerprint === undefined ||
    second.fingerprint === undefined ||
    first.fingerprint === second.fingerprint;
  return isSame ? [] : [`The code of the test changed between ${names}. ${anyway("test")}`];
}

function ofSeveralLoads({ name, result }: NamedRun): string[] {
  if (result.sweep !== undefined)
    return [`${name} is the result of bearhug sweep. Compare results of bearhug run.`];
  if (result.capacity !== undefined)
    return [`${name} is the result of bearhug capacity. Compare results of bearhug run.`];
  return [];
}

function saturated({ name, result }: NamedRun): string[] {
  if (result.generator.verdict !== "saturated") return [];
  return [
    `In ${name} the load generator was saturated, so its times are not the target's. ${anyway("generator")}`,
  ];
}

function endedEarly({ name, result }: NamedRun): string[] {
  if (!result.truncated && (result.verdict === "passed" || result.verdict === "failed")) return [];
  const how = result.truncated
    ? "was killed"
    : result.verdict === "errored"
      ? "ended with an error"
      : `was ${result.verdict}`;
  return [`The run of ${name} ${how}. ${anyway("ending")}`];
}
