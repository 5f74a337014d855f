import { InvalidInput } from "@bearhug/sdk";
import { Command } from "commander";

import { addAction } from "../reading.ts";
import type { SweepRequest } from "./sweep-and-report.ts";
import { addSweepOptions, rephraseForSweep, readSweep } from "./sweep-options.ts";

export function createCommand(): Command {
  const command = new Command("sweep")
    .description("measure a URL or a test at rising loads: throughput, percentiles, knee")
    .argument("[url|test...]", "URLs to request, or a test (.ts, .js); omit if each --target has a URL");
  return addAction(addSweepOptions(command), readSweep, sweep);
}

async function sweep(request: SweepRequest): Promise<void> {
  const { sweepAndReport } = await import("./sweep-and-report.ts");
  await sweepAndReport(request).catch((error: unknown) => {
    if (!(error instanceof InvalidInput)) throw error;
    throw new InvalidInput(rephraseForSweep(error.problems), { cause: error });
  });
}
