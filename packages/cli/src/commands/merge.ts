import { stat } from "node:fs/promises";

import { Command, Option } from "commander";

import { InvalidInput } from "../invalid-input.ts";
import { checkParts } from "../outcome/merge/check-parts.ts";
import { mergeRuns } from "../outcome/merge/merge-runs.ts";
import type { Part } from "../outcome/merge/part.ts";
import { isCompressed, readRecording } from "../recording/read-recording.ts";
import { createReporters, findOutProblems, isOfRuns } from "../reporters/index.ts";
import { createMultiplexer } from "../reporters/multiplexer.ts";
import { collect, latencyOption } from "./load-options.ts";
import { openTerminal } from "./open-terminal.ts";
import { reportResult } from "./report-result.ts";

export function createCommand(): Command {
  return new Command("merge")
    .description("join the shards of a run, and judge it")
    .argument("<recordings...>", "the recording of each shard (run --shard --out recording=part-1.bearhug)")
    .option("-o, --output <file>", "write the result, as JSON")
    .addOption(
      new Option(
        "--out <reporter=path>",
        "also write a report: json, html, junit, csv, markdown, hgrm or hlog",
      )
        .argParser(collect)
        .default([]),
    )
    .addOption(
      new Option(
        "--allow-partial",
        "merge what there is: also without all shards, or if they differ",
      ).default(false),
    )
    .addOption(latencyOption())
    .action(merge);
}

interface MergeFlags {
  readonly output?: string;
  readonly out: readonly string[];
  readonly allowPartial: boolean;
  readonly latency: boolean;
}

export function findProblems(files: readonly string[], command: Command): string[] {
  const flags = command.opts<MergeFlags>();
  const ofRuns = flags.out.filter(isOfRuns);
  return [
    ...ofRuns.map((text) => `--out ${text}: only bearhug run and bearhug <url> can write it.`),
    ...findOutProblems(outsOf(flags), files),
  ];
}

function outsOf({ out, output }: MergeFlags): readonly string[] {
  return output === undefined ? out : [`json=${output}`, ...out];
}

async function merge(files: readonly string[], flags: MergeFlags): Promise<void> {
  const reporters = createReporters(outsOf(flags), files);
  const { parts, refusals, gaps } = checkParts(await openParts(files));
  const [first, ...others] = parts;
  const { allowPartial: allowsPartial } = flags;
  if (first === undefined || refusals.length > 0 || (gaps.length > 0 && !allowsPartial)) {
    const remedy = "To merge what there is, add --allow-partial.";
    throw new InvalidInput([...refusals, ...gaps, ...(refusals.length === 0 ? [remedy] : [])]);
  }
  const notes = gaps.map((gap) => `not a complete run: ${gap.replace(/\.$/, "")}`);
  const result = await mergeRuns([first, ...others], { allowsPartial, notes });
  const { summary, warn } = openTerminal("none", { hasLatency: flags.latency });
  const told = await reportResult(createMultiplexer(reporters, warn), summary, result);
  process.exitCode = told.exitCode;
}

/** @throws {InvalidInput} with a sentence for each file that cannot be read as a recording */
async function openParts(files: readonly string[]): Promise<Part[]> {
  const problems: string[] = [];
  const parts: Part[] = [];
  for (const file of files) {
    try {
      parts.push(await openPart(file));
    } catch (error) {
      if (error instanceof InvalidInput) problems.push(...error.problems);
      else if (error instanceof Error && "syscall" in error) problems.push(describeUnreadable(file, error));
      else throw error;
    }
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  return parts;
}

function describeUnreadable(file: string, error: Error): string {
  return "code" in error && error.code === "ENOENT"
    ? `There is no file ${file}.`
    : `${file}: ${error.message}.`;
}

async function openPart(name: string): Promise<Part> {
  if (!(await stat(name)).isFile()) throw new InvalidInput([`${name} is not a file.`]);
  if (!(await isCompressed(name))) {
    throw new InvalidInput([
      `${name}: is not a recording. A result holds too little to be merged: record each shard with --out recording=FILE.`,
    ]);
  }
  const { head, moments } = await readRecording(name);
  return { name, run: head.run, moments };
}
