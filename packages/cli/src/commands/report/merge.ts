import { checkParts, type MergeProblems } from "@bearhug/engine/outcome/merge/check-parts";
import { checkResults } from "@bearhug/engine/outcome/merge/check-results";
import { mergeResults } from "@bearhug/engine/outcome/merge/merge-results";
import { mergeRuns } from "@bearhug/engine/outcome/merge/merge-runs";
import { createMultiplexer } from "@bearhug/report/multiplexer";
import { InvalidInput, type TestResult } from "@bearhug/sdk";
import { Command } from "commander";

import { switchOption } from "../options.ts";
import { expandGlobs } from "../../test-set/find-test-files.ts";
import { jsonOutOption, latencyOption } from "../load-options.ts";
import { createMergedReporters, findMergedReportProblems, mergedReportsOption } from "./merged-reports.ts";
import { openInputs, type MergeInputs } from "./merge-inputs.ts";
import { addReader } from "../reading.ts";
import { openTerminal } from "../open-terminal.ts";
import { reportResult } from "./report-result.ts";
import { reportToGithub } from "./report-to-github.ts";

export function createCommand(): Command {
  const command = new Command("merge")
    .description("join the shards of a run, or several results, and judge the whole")
    .argument(
      "<files...>",
      "the recording of each shard (run --shard --out recording=part-1.bearhug), results, or globs",
    )
    .option("-o, --output <file>", "write the result, as JSON")
    .addOption(mergedReportsOption())
    .addOption(jsonOutOption())
    .addOption(
      switchOption("--allow-partial", "merge even if shards are missing, late or different").helpGroup(
        "Several machines:",
      ),
    )
    .addOption(latencyOption())
    .action(merge);
  return addReader(command, readLine);
}

interface MergeFlags {
  readonly output?: string;
  readonly out: readonly string[];
  readonly allowPartial: boolean;
  readonly latency: boolean;
}

function readLine(files: readonly string[], flags: MergeFlags, problems: string[]): void {
  problems.push(...findMergedReportProblems(outsOf(flags), files));
}

function outsOf({ out, output }: MergeFlags): readonly string[] {
  return output === undefined ? out : [`json=${output}`, ...out];
}

async function merge(given: readonly string[], flags: MergeFlags): Promise<void> {
  const files = await expandGlobs(given);
  const reporters = createMergedReporters(outsOf(flags), files);
  const result = await mergeInputs(await openInputs(files), flags.allowPartial);
  const { summary, warn, print } = openTerminal("none", outsOf(flags), { hasLatency: flags.latency });
  const reported = await reportResult(createMultiplexer(reporters, warn), summary, result);
  await reportToGithub(reported, { print, warn });
}

/** @throws {InvalidInput} if the inputs do not form one complete run */
export async function mergeInputs(inputs: MergeInputs, allowsPartial: boolean): Promise<TestResult> {
  if (inputs.kind === "results") {
    const gaps = acceptedGaps(checkResults(inputs.parts), allowsPartial);
    return mergeResults(inputs.parts, { allowsPartial, gaps });
  }
  const checked = checkParts(inputs.parts);
  const gaps = acceptedGaps(checked, allowsPartial);
  const [first, ...others] = checked.parts;
  if (first === undefined) throw new InvalidInput(checked.refusals);
  return mergeRuns([first, ...others], { allowsPartial, gaps });
}

/** Returns the gaps if they are allowed. @throws {InvalidInput} with all problems */
function acceptedGaps({ refusals, gaps }: MergeProblems, allowsPartial: boolean): MergeProblems["gaps"] {
  if (refusals.length > 0 || (gaps.length > 0 && !allowsPartial)) {
    const remedy = "To merge anyway, add --allow-partial.";
    throw new InvalidInput([
      ...refusals,
      ...gaps.map(({ sentence }) => sentence),
      ...(refusals.length === 0 ? [remedy] : []),
    ]);
  }
  return gaps;
}
