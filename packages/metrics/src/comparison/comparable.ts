import type { SeriesResult, TestResult } from "@bearhug/sdk";

/** The differences between runs that `--allow` accepts. */
export const allowances = [
  "target",
  "load",
  "test",
  "generator",
  "ending",
  "machine",
  "redirects",
  "sizes",
] as const;

export type Allowance = (typeof allowances)[number];

/** A run, and its name in reports. */
export interface NamedRun {
  readonly name: string;
  readonly result: TestResult;
  /** The side of a run whose targets took turns; absent for a run of one side. */
  readonly variant?: string;
  /** The target of that side. */
  readonly target?: string;
}

/** Returns the series of a side's runs: where targets took turns, those of its own turns. */
export function seriesOfSide(runs: readonly NamedRun[]): SeriesResult[] {
  return runs.flatMap(({ result, variant }) =>
    result.series.filter(({ tags }) => variant === undefined || tags["variant"] === variant),
  );
}

/** The name of the run that just ended and is not in a file yet. */
export const thisRun = "this run";

/** Returns a sentence for each reason not to compare these runs, unless it is allowed. */
export function findIncomparable(runs: readonly NamedRun[], allowed: ReadonlySet<Allowance>): string[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  const isForbidden = (allowance: Allowance): boolean => !allowed.has(allowance);
  const differing = others.flatMap((other) => [
    ...(isForbidden("target") ? differentTargets(first, other) : []),
    ...(isForbidden("load") ? differentLoads(first, other) : []),
    ...(isForbidden("test") ? differentTests(first, other) : []),
  ]);
  const unfit = runs.flatMap((run) => [
    ...ofSeveralLoads(run),
    ...(isForbidden("ending") ? endedEarly(run) : []),
  ]);
  return [...new Set([...unfit, ...differing])];
}

export function allowHint(allowance: Allowance): string {
  return `To compare anyway, add --allow ${allowance}.`;
}

function differentTargets(one: NamedRun, other: NamedRun): string[] {
  const [first, second] = [targetOf(one.result), targetOf(other.result)];
  if (first === second) return [];
  const describe = (run: NamedRun, target: string | null): string =>
    `${run.name} loaded ${target ?? "no fixed target"}`;
  return [`${describe(one, first)}, ${describe(other, second)}. ${allowHint("target")}`];
}

/** Tests without a file are named after their URL, such as `GET http://127.0.0.1:8080/ and 2 more`. */
const nameOfUrl = /^(\S+) (https?:\/\/[^/\s]+)(.*)$/s;

/** Returns the test's target, or the one in the name of a test without a file. */
function targetOf({ test: { file, name, target } }: TestResult): string | null {
  return target ?? (file === null ? nameOfUrl.exec(name)?.[2] : undefined) ?? null;
}

/**
 * Returns the test's name. If it was made from a URL, the target is left out: another sentence
 * reports a different target.
 */
function nameOf({ test: { file, name } }: TestResult): string {
  return file === null ? name.replace(nameOfUrl, "$1 $3") : name;
}

function differentLoads(one: NamedRun, other: NamedRun): string[] {
  const [first, second] = [loadOf(one.result), loadOf(other.result)];
  if (first === second) return [];
  return [`The load differs: ${one.name} had ${first}; ${other.name} had ${second}. ${allowHint("load")}`];
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
  if (nameOf(one.result) !== nameOf(other.result))
    return [`${names} are of different tests: ${first.name}, ${second.name}. ${allowHint("test")}`];
  const isSame =
    first.fingerprint === undefined ||
    second.fingerprint === undefined ||
    first.fingerprint === second.fingerprint;
  return isSame ? [] : [`The code of the test changed between ${names}. ${allowHint("test")}`];
}

function ofSeveralLoads({ name, result }: NamedRun): string[] {
  if (result.sweep !== undefined)
    return [`${name} is the result of bearhug sweep. Compare results of bearhug run.`];
  if (result.capacity !== undefined)
    return [`${name} is the result of bearhug capacity. Compare results of bearhug run.`];
  return [];
}

function endedEarly({ name, result }: NamedRun): string[] {
  const [missing] = result.partial ?? [];
  if (missing !== undefined) return [`The result of ${name} is partial: ${missing}. ${allowHint("ending")}`];
  if (!result.truncated && (result.verdict === "passed" || result.verdict === "failed")) return [];
  const how = result.truncated
    ? "was killed"
    : result.verdict === "errored"
      ? "ended with an error"
      : `was ${result.verdict}`;
  return [`The run of ${name} ${how}. ${allowHint("ending")}`];
}
