import { loadModule, loadUrl } from "@bearhug/engine/run/load-test";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import { parseHttpUrl } from "@bearhug/text/http-url";
import { Command, Option } from "commander";

import { addAction } from "../reading.ts";
import {
  addComparisonOptions,
  readComparison,
  type ComparisonFlags,
  type ComparisonOptions,
} from "../report/comparison-options.ts";
import { hideRejected } from "../command-line/help-layout.ts";
import { judgeTurns } from "../report/judge-comparison.ts";
import {
  addLoadOptions,
  addOverrideOptions,
  inSeconds,
  uiOption,
  readFlags,
  type LoadFlags,
  oneLinerStopMs,
} from "../load-options.ts";
import { isCapture, runFileProblem } from "../command-line/test-file-problem.ts";

type AbTestFlags = Omit<LoadFlags, "target"> &
  Omit<ComparisonFlags, "runNoise"> & { readonly base?: string; readonly new?: string };

export function createCommand(): Command {
  const command = addOverrideOptions(
    new Command("ab-test")
      .description("compare two targets that take turns in one run")
      .argument("[file]", "a test (.ts, .js); omit to request the two URLs")
      .addOption(new Option("--base <url>", "the target to compare with").helpGroup("Target and variables:"))
      .addOption(
        new Option("--new <url>", "the target that may have got worse").helpGroup("Target and variables:"),
      ),
  );
  addComparisonOptions(addLoadOptions(command), "turns").addOption(uiOption());
  return addAction(hideRejected(command, ["--variant"]), readRequest, abTest);
}

/** A requested A/B test. */
interface AbTest extends ComparisonOptions {
  readonly file: string | null;
  readonly base: URL;
  readonly new: URL;
  readonly options: RunOptions;
}

function readRequest([file]: readonly string[], flags: AbTestFlags, problems: string[]): AbTest | null {
  const problem = file === undefined ? null : runFileProblem(file);
  if (problem !== null) problems.push(problem);
  else if (file !== undefined && isCapture(file))
    problems.push(`${file}: an A/B test takes a test. Import the capture first: bearhug import ${file}.`);
  const isTest = file !== undefined;
  const base = readSide("--base", flags.base, isTest, problems);
  const other = readSide("--new", flags.new, isTest, problems);
  if (flags.variant !== undefined && flags.variant.length > 0)
    problems.push("--variant: the two targets are the variants of an A/B test. Leave it out.");
  const given = { ...flags, variant: ["base=", "new="], ...(isTest ? {} : durationOf(flags)) };
  const options = readFlags(given, { file, hasOwnMetrics: isTest }, problems);
  const comparison = readComparison({ ...flags, runNoise: "0%" }, problems);
  if (base === null || other === null) return null;
  if (base.origin === other.origin)
    problems.push(`--base and --new are the same target, ${base.origin}. Name two.`);
  if (!isTest && base.pathname + base.search !== other.pathname + other.search)
    problems.push("--base and --new: the paths must be the same. To compare two paths, use --variant.");
  const variants = options.variants.map((variant) => ({
    ...variant,
    target: (variant.name === "base" ? base : other).origin,
  }));
  const turnMs = options.turnMs ?? defaultTurnMs;
  return {
    ...comparison,
    file: file ?? null,
    base,
    new: other,
    options: {
      ...options,
      target: new URL(base.origin),
      variants,
      turnMs,
      maxGracefulStopMs: isTest ? null : oneLinerStopMs,
    },
  };
}

/** Short enough for several turns in each compared block of time, and much longer than most requests. */
const defaultTurnMs = 200;

function durationOf(flags: AbTestFlags): { readonly duration?: string } {
  const isLeftOut = flags.duration === undefined && flags.iterations === undefined;
  return isLeftOut ? { duration: "30s" } : inSeconds(flags);
}

function readSide(flag: string, text: string | undefined, isTest: boolean, problems: string[]): URL | null {
  if (text === undefined) {
    problems.push(`${flag} <url> is missing. An A/B test needs --base and --new.`);
    return null;
  }
  const url = parseHttpUrl(text);
  if (url === null) {
    problems.push(`${flag} ${text}: must be an address such as http://127.0.0.1:8080.`);
    return null;
  }
  if (isTest && (url.pathname !== "/" || url.search !== ""))
    problems.push(`${flag} ${text}: must not have a path; requests keep the paths in the test.`);
  return url;
}

async function abTest(request: AbTest, flags: AbTestFlags): Promise<void> {
  const { file, base, options } = request;
  const url = { method: "GET", url: base.href, headers: [], body: null };
  const load = file === null ? () => Promise.resolve(loadUrl(url)) : () => loadModule(file);
  const judge = judgeTurns({ base: base.origin, new: request.new.origin }, request);
  const { runAndReport } = await import("../run/run-and-report.ts");
  // A summary of the test's own would replace the answer.
  await runAndReport({ file, load, options, flags, judge, ignoresTestSummary: true });
}
