import { Command, Option } from "commander";

import { findIncomparable, type NamedRun } from "../comparison/comparable.ts";
import { compareResults } from "../comparison/compare-results.ts";
import { exitCodes } from "../exit-codes.ts";
import { InvalidInput } from "../invalid-input.ts";
import { randomSource } from "../pacing/random-source.ts";
import { openComparisonOutputs, type ComparisonOutput } from "../reporters/comparison/outputs.ts";
import { version } from "../version.ts";
import {
  addComparisonOptions,
  readComparison,
  type ComparisonFlags,
  type ComparisonOptions,
} from "./comparison-options.ts";
import { collect } from "./load-options.ts";
import { reportComparison } from "./report-comparison.ts";
import { readResult } from "./report.ts";

interface CompareFlags extends ComparisonFlags {
  readonly new: readonly string[];
  readonly out: readonly string[];
}

export function createCommand(): Command {
  const command = new Command("compare")
    .description("say if a run got worse than an earlier one, with an exit code")
    .argument("<results...>", "results (result.json) of the base, then that of the new run")
    .addOption(
      new Option("--new <result>", "a result of the new side, if there are several; repeatable")
        .argParser(collect)
        .default([]),
    );
  return addComparisonOptions(command)
    .addOption(
      new Option("--out <report=path>", "also write the comparison: json or markdown")
        .argParser(collect)
        .default([]),
    )
    .action(compare);
}

export function findProblems(results: readonly string[], command: Command): string[] {
  const problems: string[] = [];
  readRequest(results, command.opts<CompareFlags>(), problems);
  return problems;
}

/** A comparison that is asked for. */
interface CompareRequest extends ComparisonOptions {
  readonly base: readonly string[];
  readonly new: readonly string[];
  readonly outputs: readonly ComparisonOutput[];
}

function readRequest(results: readonly string[], flags: CompareFlags, problems: string[]): CompareRequest {
  const base = flags.new.length > 0 ? results : results.slice(0, -1);
  const other = flags.new.length > 0 ? flags.new : results.slice(-1);
  if (base.length === 0) problems.push("compare needs two results: bearhug compare base.json new.json.");
  const twice = [...base, ...other].filter((file, at, all) => all.indexOf(file) !== at);
  problems.push(...new Set(twice.map((file) => `${file} is given twice. Name each result once.`)));
  const outputs = openComparisonOutputs(flags.out, [...base, ...other], problems);
  return { base, new: other, outputs, ...readComparison(flags, problems) };
}

async function compare(results: readonly string[], flags: CompareFlags): Promise<void> {
  const problems: string[] = [];
  const request = readRequest(results, flags, problems);
  if (problems.length > 0) throw new InvalidInput(problems);
  const base = await readRuns(request.base);
  const other = await readRuns(request.new);
  const incomparable = findIncomparable([...base, ...other], request.allowed);
  if (incomparable.length > 0) throw new InvalidInput(incomparable);
  const comparison = compareResults(base, other, request.rules, {
    tool: { name: "bearhug", version },
    random: () => randomSource(resamplingSeed, 0),
    failedCode: exitCodes.thresholdsFailed,
  });
  process.exitCode = await reportComparison(comparison, request.outputs);
}

/** Fixed: the same results give the same answer. */
const resamplingSeed = 4242;

/** @throws {InvalidInput} with a sentence for each that cannot be read */
async function readRuns(files: readonly string[]): Promise<NamedRun[]> {
  const read = await Promise.allSettled(
    files.map(async (name) => ({ name, result: await readResult(name) })),
  );
  const problems = read.flatMap((one) => {
    if (one.status === "fulfilled") return [];
    if (one.reason instanceof InvalidInput) return one.reason.problems;
    throw one.reason;
  });
  if (problems.length > 0) throw new InvalidInput(problems);
  return read.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}
