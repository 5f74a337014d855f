import { getOrAdd } from "@bearhug/metrics/get-or-add";

import { requestHeaderProblem } from "../http-options/headers.ts";
import type { ValidatedScenario } from "../executors/validated-scenario.ts";
import { activeMs, isTimed } from "../executors/load-models.ts";
import type { PlannedVariants, ReplacedPath, Variant } from "../protocol/variants.ts";

/** More variants would leave each too little time, and would not fit into tables. */
const maxVariants = 10;
const longestName = 40;

/** `Accept-Encoding: br` */
const headerPattern = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*?)\s*$/s;
/** `/index.min.html`, or `/index.html=>/index.min.html` */
const pathPattern = /^(?:(\/[^\s#]*?)\s*=>\s*)?(\/[^\s#]*)$/;

/**
 * Reads each `--variant NAME=…`; those with the same name form one variant. Adds a sentence to `problems` for
 * each that cannot be used.
 */
export function readVariants(texts: readonly string[], problems: string[]): Variant[] {
  const before = problems.length;
  const variants = new Map<string, { headers: string[]; paths: ReplacedPath[] }>();
  for (const text of texts) {
    const [, name = "", change = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    const problem = nameProblem(text, name);
    if (problem !== null) {
      problems.push(problem);
      continue;
    }
    const variant = getOrAdd(variants, name, () => ({ headers: [], paths: [] }));
    const wrong = addChange(variant, change.trim());
    if (wrong !== null) problems.push(`--variant ${name}: ${wrong}`);
  }
  if (variants.size === 1 && problems.length === before)
    problems.push(
      `--variant ${[...variants.keys()][0] ?? ""}: there is nothing to compare it with. Add another variant, such as plain= for unchanged requests.`,
    );
  if (variants.size > maxVariants)
    problems.push(`--variant: ${variants.size} variants are too many. Give at most ${maxVariants}.`);
  return [...variants].map(([name, { headers, paths }]) => ({ name, headers, paths }));
}

function nameProblem(text: string, name: string): string | null {
  if (!text.includes("=") || name.trim() === "")
    return `--variant ${text}: must be written NAME=CHANGE, such as br='Accept-Encoding: br' or min=/index.min.html.`;
  if (name.length > longestName)
    return `--variant ${name}: the name is longer than ${longestName} characters. Choose a shorter one.`;
  return null;
}

/**
 * Adds a change to a variant. Returns the problem with it, as the rest of a sentence; null if there is none.
 * Values may be secrets, so the sentence quotes none.
 */
function addChange(
  variant: { readonly headers: string[]; readonly paths: ReplacedPath[] },
  change: string,
): string | null {
  if (change === "") return null;
  const [, from = null, to] = pathPattern.exec(change) ?? [];
  if (to !== undefined) return addPath(variant.paths, { from, to });
  const [, header, value] = headerPattern.exec(change) ?? [];
  if (header === undefined || value === undefined)
    return "the change must be a header ('Accept-Encoding: br'), a path (/index.min.html), a replaced path ('/old=>/new') or nothing.";
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
    return `the value of ${header} contains a character that headers can't carry.`;
  const refusal = requestHeaderProblem(header.toLowerCase(), value);
  if (refusal !== undefined) return `${header}: ${refusal}`;
  variant.headers.push(header, value);
  return null;
}

function addPath(paths: ReplacedPath[], path: ReplacedPath): string | null {
  if (paths.some(({ from }) => from === path.from))
    return `${path.from ?? "the path"} is replaced more than once. Give one replacement.`;
  paths.push(path);
  return null;
}

/**
 * Returns a sentence for each variant that only gives a new path, in a test that may request several paths:
 * the variant must name the path that it replaces.
 */
export function lonePathProblems(
  variants: readonly Variant[],
  reason = "a test may request several paths",
): string[] {
  return variants.flatMap(({ name, paths }) =>
    paths
      .filter(({ from }) => from === null)
      .map(({ to }) => `--variant ${name}=${to}: ${reason}. Say which one to replace, such as '/=>${to}'.`),
  );
}

/** Enough turns of each variant to tell a difference from chance, even if several variants are compared. */
const wantedBlocks = 24;
const shortestTurnMs = 100;
const longestTurnMs = 1000;
const defaultTurnMs = 250;
/** The share of a turn that is not compared, because iterations of the previous turn may still run. */
const changeoverShare = 0.2;

/**
 * Plans the turns of variants; undefined without variants. Their length is `--turn`, or else follows from the
 * duration of the load.
 */
export function planVariants(
  {
    variants,
    turnMs: given,
    seed,
  }: Pick<PlannedVariants, "variants"> & { readonly turnMs: number | null; readonly seed: number },
  scenarios: readonly ValidatedScenario[],
  warmupMs: number,
): PlannedVariants | undefined {
  if (variants.length === 0) return undefined;
  const turnMs = given ?? turnFor(variants.length, scenarios, warmupMs);
  const rule = { seed, variants: variants.length, turnMs, changeoverMs: turnMs * changeoverShare };
  return { rule, variants };
}

function turnFor(variants: number, scenarios: readonly ValidatedScenario[], warmupMs: number): number {
  if (!scenarios.every(isTimed)) return defaultTurnMs;
  const measuredMs = Math.max(0, ...scenarios.map((one) => one.startTimeMs + activeMs(one))) - warmupMs;
  const turnMs = Math.floor(measuredMs / (wantedBlocks * variants) / 10) * 10;
  return Math.min(longestTurnMs, Math.max(shortestTurnMs, turnMs));
}
