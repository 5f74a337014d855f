import { InvalidInput } from "@bearhug/sdk";
import { Command } from "commander";

import { problemsOf, readOrThrow } from "../read-or-throw.ts";
import type { SweepRequest } from "./sweep-and-report.ts";
import { addSweepOptions, rephraseForSweep, readSweep, type SweepFlags } from "./sweep-options.ts";

export function createCommand(): Command {
  const command = new Command("sweep")
    .description("measure a URL or a test at rising loads: throughput, percentiles, knee")
    .argument("[url|test...]", "URLs to request, or a test (.ts, .js); omit if each --target has a URL");
  return addSweepOptions(command).action(sweep);
}

export function findProblems(subjects: readonly string[], command: Command): string[] {
  return problemsOf((problems) => readSweep(subjects, command.opts<SweepFlags>(), problems));
}

async function sweep(subjects: readonly string[], flags: SweepFlags): Promise<void> {
  const request: SweepRequest = readOrThrow((problems) => readSweep(subjects, flags, problems));
  const { sweepAndReport } = await import("./sweep-and-report.ts");
  await sweepAndReport(request).catch((error: unknown) => {
    if (!(error instanceof InvalidInput)) throw error;
    throw new InvalidInput(rephraseForSweep(error.problems), { cause: error });
  });
}
