import { loadFlags } from "@bearhug/plan/test-file/run-options";
import { reportsOfResults } from "@bearhug/report/index";
import { InvalidInput } from "@bearhug/sdk";
import { Command, Option } from "commander";

import { readCapacity, type CapacityFlags } from "./capacity-request.ts";
import { hideRejected } from "../command-line/help-layout.ts";
import { addLoadOptions, collect, envFromOption, envOption, flagOption } from "../load-options.ts";
import { addRequestOptions } from "../request-options.ts";

/**
 * Options that a search sets itself, or replaces by objectives. It rejects all but `--allow-saturated`, which
 * has no effect.
 */
const hiddenOptions = [
  "--warmup",
  "--latency",
  "--threshold",
  "--abort-on-fail",
  "--variant",
  "--turn",
  "--strict-generator",
  "--max-failed",
  "--expect-failures",
  "--allow-saturated",
];

export function createCommand(): Command {
  const command = new Command("capacity")
    .description("find the highest load that meets objectives")
    .argument("[url|test...]", "URLs to request, a test (.ts, .js) or a capture of a browser (.har)")
    .addOption(
      new Option("--slo <metric: expression>", "an objective to meet: http_req_response_time: p(99)<200ms")
        .helpGroup("The search:")
        .argParser(collect)
        .default([]),
    )
    .addOption(
      new Option("--search <what>", "rate: iterations per second; vus: virtual users")
        .helpGroup("The search:")
        .default("rate"),
    )
    .addOption(
      new Option("--min-rate <rate>", "lowest load to try: 10, 10/s")
        .helpGroup("The search:")
        .default(undefined, "1"),
    )
    .addOption(
      new Option("--max-rate <rate>", "highest load to try: 5000, 5k/s")
        .helpGroup("The search:")
        .default(undefined, "100k"),
    )
    .addOption(
      new Option("--max-vus <n>", "most virtual users, and so connections, of a trial")
        .helpGroup("The search:")
        .default(undefined, "the test's maxVUs, else 10,000"),
    )
    .addOption(
      new Option("--budget <time>", "longest time for the search").helpGroup("The search:").default("5m"),
    )
    .addOption(
      new Option("--precision <share>", "stop when the capacity is known to within ± this share")
        .helpGroup("The search:")
        .default("2.5%"),
    )
    .addOption(
      new Option("--at-least <rate>", "fail (exit code 99) if the capacity is lower: 500, 30k/m").helpGroup(
        "The search:",
      ),
    )
    .addOption(
      flagOption({
        ...loadFlags.overload,
        help: "then exceed the capacity by this factor, and return to it: 1.5",
      }),
    )
    .addOption(flagOption(loadFlags.target))
    .addOption(flagOption({ ...loadFlags.scenario, help: "run only this scenario" }))
    .addOption(envOption())
    .addOption(envFromOption());
  addLoadOptions(addRequestOptions(command), {
    reports: `${reportsOfResults}, or a file with your own`,
  }).action(capacity);
  return hideRejected(command, hiddenOptions);
}

export function findProblems(subjects: readonly string[], command: Command): string[] {
  return readCapacity(subjects, command.opts<CapacityFlags>()).problems;
}

async function capacity(subjects: readonly string[], flags: CapacityFlags): Promise<void> {
  const request = readCapacity(subjects, flags);
  if (request.problems.length > 0) throw new InvalidInput(request.problems);
  const { searchAndReport } = await import("./search-and-report.ts");
  await searchAndReport(request, flags);
}
